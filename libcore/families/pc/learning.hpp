// How a circuit is fitted: expectation maximisation, its rule and its pseudocounts.
// [pc/README 6.2]
#pragma once

#include "libcore/families/pc/growing/reshaping.hpp"
#include "libcore/families/pc/maximisation/maximise.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/products/options.hpp"
#include "libcore/train/options.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx {
class Fields;
struct DatasetInfo;
}  // namespace logpx

namespace logpx::pc {

struct Config;

enum class PcAlgorithm { em, gradient };
enum class EmRuleChoice { automatic, stats, params, full, momentum };
enum class PriorChoice { automatic, uniform, marginal };

struct Learning {
  PcAlgorithm algorithm = PcAlgorithm::em;
  EmRuleChoice em_rule = EmRuleChoice::automatic;
  double pseudocount = 0.1;  // for each row, in counts of the whole training data
  PriorChoice pseudocount_prior = PriorChoice::automatic;
  std::optional<double> pooled_rows = {};  // of the mean covariance; unset: twice the variables
  double em_floor = 1e-10;
  std::int64_t micro_batch = 128;
  Arithmetic arithmetic = Arithmetic::scaled;
  std::string time_checkpoint = "auto";  // none, or sqrt; or a number of steps
  std::string init = "softmax-normal";   // or dirichlet:A, from-data, product:A.h5,B.h5
  ProductOptions product = {};
  std::optional<std::int64_t> init_seed = {};
  std::string separator_states;  // the symbol that only some states emit; empty: none
  std::int64_t restarts = 1;
  Reshaping reshaping;  // of the model that training goes on from
  // What is known of a circuit once it is there, and decides which of these options count.
  struct Known {
    bool sequences = true, draws = true;  // one table for all steps; some first parameters
    bool goes_on = true;                  // from a model
  };
  Known known = {};

  void describe(Fields& fields, const Config& model);
  // Throws usage errors.
  void validate(const TrainOptions& training) const;

  [[nodiscard]] EmRule rule(const Config& config, const DatasetInfo& data) const;  // both settled
  [[nodiscard]] bool takes_all_at_once() const {
    return algorithm == PcAlgorithm::em && em_rule == EmRuleChoice::full;
  }
  [[nodiscard]] bool marginal_prior(const Config& config, std::int64_t levels) const;
  [[nodiscard]] double pooled(std::int64_t variables) const {
    return pooled_rows.value_or(2 * static_cast<double>(variables));
  }
  [[nodiscard]] PassSettings pass(std::int64_t steps) const;  // for rows of so many steps

 private:
  void describe_start(Fields& fields, const Config& model);
};

// Training options that an algorithm reads.
[[nodiscard]] TrainReads reads_of(PcAlgorithm algorithm);

}  // namespace logpx::pc
