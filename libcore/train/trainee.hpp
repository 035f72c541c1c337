// A model with the task that trains it, as a family makes both from its settings: what the training
// tool runs, and what the contract test holds every family to.
//
//   const Trainee trainee = find_family("vae").trainee("tiny", {.train = examples}, Rng(1));
//   TrainingLoop loop(*trainee.task, trainee.options, {workers, ranks}, {.seed = 1});
#pragma once

#include "libcore/model/task_data.hpp"
#include "libcore/train/task.hpp"

#include <memory>

namespace logpx {

struct Trainee {
  std::unique_ptr<Model> model;        // initialised
  std::unique_ptr<TrainingTask> task;  // moves the model's parameters, reads the data it was given
  TrainOptions options = {};
};

}  // namespace logpx
