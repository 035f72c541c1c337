// Scoring a dataset: fixed blocks of consecutive examples, each on one worker, so that a number
// depends on neither threads nor processes nor memory.   [eval/README 1.2]
//
//   const EvalRows rows{.data = file, .begin = 60000, .end = 70000, .block = 64};
//   const Scored scored = score_rows(rows, workers, [&](const Examples& examples) {
//     return plan->score(examples, rng);
//   });
//   const Summary summary = summarise(scored);
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/model/latents.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

// This process's part of the blocks; `sum` adds arrays up over all of them.
struct BlockShare {
  std::int64_t index = 0, of = 1;
  std::function<void(std::span<double>)> sum = {};
};

// Rows begin .. end-1 in blocks of the whole dataset: block b holds those of its rows b*block ..
// (b+1)*block - 1, counted from the origin, that are asked for.
struct EvalRows {
  RowSource& data;
  std::int64_t begin = 0, end = 0, block = 64;
  std::int64_t origin = 0;  // at most begin
  BlockShare share = {};
  // Told how many examples are done, from one thread at a time; may throw.
  std::function<void(std::int64_t)> progress = {};

  [[nodiscard]] std::int64_t count() const { return end - begin; }
};

// Calls visit for every block of this share, several at once.
void visit_blocks(const EvalRows& rows, Workers& workers,
                  const std::function<void(const Examples&)>& visit);

struct Scored {
  Bound kind = Bound::exact;
  std::int64_t begin = 0;  // the row of the dataset that comes first
  std::vector<double> nats = {}, mc_std_error = {}, true_logp = {};
  std::vector<double> labels = {}, source_rows = {};  // whole numbers, if the data have them
  std::vector<double> dims = {};                      // observed, if rows end early or have gaps
  Scores::Columns terms = {}, facts = {};
  Scores::Columns tallies = {};  // of all examples
};
[[nodiscard]] Scored score_rows(const EvalRows& rows, Workers& workers,
                                const std::function<Scores(const Examples&)>& score);

// q(z|x) of all rows.
[[nodiscard]] Posterior encode_rows(const EvalRows& rows, Workers& workers,
                                    const ModelLatents& latents);

struct Spread {
  double min = 0, p1 = 0, median = 0, p99 = 0, max = 0;
  std::int64_t argmin = 0;  // row of the dataset
};
// For rows with different numbers of observed dims.
struct PerObserved {
  std::int64_t dims = 0;  // of all examples
  Estimate nats;          // sum of log p / sum of dims, with the standard error of this ratio
};
struct Summary {
  Estimate log_likelihood;
  std::optional<PerObserved> observed = {};
  std::optional<double> mc_std_error;  // of the mean, with the examples fixed
  std::vector<std::pair<std::string, Estimate>> terms;
  Spread per_example;
  std::int64_t num_impossible = 0, first_impossible = -1;
  std::optional<Estimate> gap_to_truth;  // mean of true log p - log p
};
// A score that is not a number is a numeric error that names the row.
[[nodiscard]] Summary summarise(const Scored& scored);

// A message if an exact value or a lower bound lies above the truth by more than three standard
// errors and rounding; else empty.
[[nodiscard]] std::string contradiction_of_truth(const Summary& summary);

// Mean of a - b over the same examples.
[[nodiscard]] Estimate paired_difference(const Scored& a, const Scored& b);

// The mean of a column of facts.
[[nodiscard]] double mean_of_fact(const Scored& scored, const std::string& name);

}  // namespace logpx
