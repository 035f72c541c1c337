// The interface of every model: what it reads, its config and its tensors. What it can do with them
// (scoring, sampling, coding ...) is not its own business but that of abilities.hpp.
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "libcore/model/estimate.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class Fields;

// Which rows a model reads besides those of its own shape. whole: none. up_to: shorter ones,
// because they end early (/data/length) or their dataset is narrower. any: longer ones, too.
enum class Lengths { whole, up_to, any };

struct ModelInfo {
  std::string family;
  DatasetInfo data;                     // what it reads: shape, levels, measure
  DatasetInfo samples = {};             // what it makes; differs if it reads x binarised
  std::int64_t block = 64;              // examples scored together, whatever threads and memory
  Measure measure = Measure::counting;  // of log p: a probability, or a density
  bool surrogate = false;               // its p(x|z) is no likelihood: nothing is a bound of log p
  // For dequantised levels log p is a density; this many bits per dimension make it a bound on the
  // probability of the levels: 8 where 0..255 were divided by 256, 0 where they were not scaled.
  std::optional<double> level_bits = {};
  Lengths lengths = Lengths::whole;
  bool missing = false;  // whether values of x may be missing
  // What log p is a density or a probability of, if not of x: "8 principal axes".
  std::string space = {};
};

// Rows of a dataset; `first` is the number of the first one there, and addresses its noise.
struct Examples {
  const DatasetInfo& info;
  const Rows& rows;
  std::int64_t first = 0;
};
struct Scores {
  Bound kind = Bound::exact;
  std::vector<double> nats = {};          // log p(x) per example
  std::vector<double> mc_std_error = {};  // of each, from its own noise; empty without noise
  using Columns = std::vector<std::pair<std::string, std::vector<double>>>;
  Columns terms = {};  // parts of it: recon, kl ...
  Columns facts = {};  // of the method, per example: effective sample size, acceptance ...
  // Sums over the examples, each of any length, which add up over all blocks: counts, and numbers
  // from exactly_summable(), so that their order does not matter.
  Columns tallies = {};
};
// The nearest multiple of 2^-16: sums of these are exact while they stay below 2^37.
[[nodiscard]] inline double exactly_summable(double value) {
  return std::round(value * 0x1p16) * 0x1p-16;
}

enum class TensorRole { parameter, constant };
using TensorVisitor = std::function<void(const TensorRef&, TensorRole)>;

class Model {
 public:
  virtual ~Model() = default;
  [[nodiscard]] virtual const ModelInfo& info() const = 0;
  // The config from which a model of the same shape is built: saved with it, and read back.
  virtual void describe(Fields& fields) = 0;
  // Every tensor by name, parameters in the order of their creation: to save them or fill them.
  virtual void params(const TensorVisitor& visit) = 0;
  // Called when all tensors have been read from a file: a model checks them (a data error that
  // names the tensor) and builds the tables that follow from them.
  virtual void filled() {}
};

}  // namespace logpx
