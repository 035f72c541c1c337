// What the contract test tries on every family: the model of its preset `tiny`, trained for a few
// steps on the family's own rows, and everything observable of it, as bytes. (Compare bytes in
// double parentheses: doctest prints what it can decompose.)
#pragma once

#include "libcore/base/fields.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/train/loop.hpp"
#include "tests/support/trials.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::testing {

// The families and fixtures that can be trained on rows; a family with several trials comes once
// for each.
[[nodiscard]] std::vector<Family> families_under_contract();
template <typename Check>
void for_each_family(Check check) {
  for (const Family& family : families_under_contract()) {
    CAPTURE(family.name);
    check(family);
  }
}

// Gives a plan those light settings of its family that it knows.
template <typename Plan>
void lighten(Plan& plan, const std::string& family) {
  Fields fields;
  plan.describe(fields);
  for (const std::string& knob : light_knobs(family))
    if (fields.find_key(knob.substr(0, knob.find('='))) != nullptr)
      fields.set(knob, Origin::option);
}

struct Trial {
  explicit Trial(const Family& family);
  [[nodiscard]] Model& model() const { return *trainee.model; }
  [[nodiscard]] bool trains() const { return trainee.task != nullptr; }

  HeldRows data;
  Trainee trainee;
};
// The model after enough steps to learn something, so that no part of a bound is close to 0.
[[nodiscard]] std::unique_ptr<Trial> well_trained(const Family& family);
struct TrialRun {
  int threads = 1;
  std::int64_t stops_after = 0;  // not 0: goes on from a checkpoint in a process of its own
  bool two_ranks = false;
  NumericsChoice numerics = NumericsChoice::fast;
};
// The model after a few steps, or as it was made if nothing trains it.
[[nodiscard]] std::unique_ptr<Trial> trained(const Family& family, const TrialRun& run = {});
// All that a checkpoint and the history hold after the same few steps.
[[nodiscard]] std::string training_bytes(const Family& family, const TrialRun& run);

// "", or the tensor whose gradient is not the slope of the task's loss.
[[nodiscard]] std::string gradient_trouble(const Family& family);

// Everything that a user can get from a model, by name: scores by its own methods and by its coder,
// samples, latents, codes.
using Sight = std::map<std::string, std::string>;
[[nodiscard]] Sight sight_of(const Model& model, const HeldRows& data);
// A family that codes has models that its codec refuses.
[[nodiscard]] bool codes(const Model& model);
// What a decoder must repeat, as a short text.
[[nodiscard]] std::string digest_of_codes(const Model& model, const HeldRows& data);

// A plan's numbers, block after block: in order, backwards, or several at once.
enum class Order { forwards, backwards, together };
[[nodiscard]] std::string scored(const Model& model, const std::string& method,
                                 const HeldRows& data, Order order);
[[nodiscard]] std::string sampled(const Model& model, std::int64_t items, Order order);

}  // namespace logpx::testing
