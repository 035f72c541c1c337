// p(x_d|h): how likely one dimension of x is, given the numbers h that a network puts out for it,
// its heads. One class per likelihood gives it as a node of a graph, as draws, as a support, and as
// what the entropy coder takes. Each has its own file, likelihood_<name>.cpp; their words are
// listed in likelihood_entry.cpp.
//
//   const auto likelihood = make_likelihood("bernoulli", 2, {});
//   const std::vector<HeadForm> forms = likelihood->heads();   // a network makes these
//   graph.output("recon", likelihood->log_prob({x}, heads));
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/graph.hpp"
#include "libcore/model/levels_of_x.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

namespace codec {
class SymbolVector;
}

class LikelihoodPairs;  // likelihood_pairs.hpp

// What x may be: 0 or 1; whole numbers from 0 to levels - 1; real numbers, with a density.
enum class ValuesOfX { bits, levels, reals };

enum class Squash { none, sigmoid, tanh };

// The knobs of all likelihoods; each reads its own.
struct LikelihoodOptions {
  bool gray = false;             // bernoulli: x may lie between 0 and 1; log p is a surrogate
  Squash squash = Squash::none;  // what the mean of gaussian likelihoods goes through
  double min_log_var = -10;      // gaussian
  std::string obs_std = "1";     // gaussian-fixed and the like: a positive number, or "learn"
  std::int64_t components = 5;   // mixtures
  bool limited = true;           // heads are smoothly kept in their ranges
};

// One output of a network for every dimension of x. The network clamps it to [low, high] when set
// (smooth_clamp), so that training, draws and the coder see the same number.
struct HeadForm {
  std::string name;
  std::int64_t per_dim = 1;
  std::optional<double> low = {}, high = {};
  Squash squash = Squash::none;
  // One number for all dimensions and rows: `value`, or a parameter that starts at 0. Heads of
  // this kind come last.
  bool shared = false;
  std::optional<double> value = {};
};

class Likelihood {
 public:
  struct Given {
    ValuesOfX takes = ValuesOfX::reals;
    LevelsOfX levels = {};
    LikelihoodOptions options = {};
  };
  explicit Likelihood(Given given) : given_(std::move(given)) {}
  virtual ~Likelihood() = default;
  [[nodiscard]] ValuesOfX takes() const { return given_.takes; }
  [[nodiscard]] std::int64_t levels() const { return given_.levels.most(); }  // at most
  [[nodiscard]] const LevelsOfX& values() const { return given_.levels; }
  [[nodiscard]] std::vector<HeadForm> heads() const;

  // As a node. Heads are [...,D], or [...,D,K] for several numbers per dimension, or [] if shared.
  using Heads = std::vector<Var>;
  struct Target {
    Var x;                          // [M,D]
    std::optional<Var> index = {};  // [L,M,D] of the same values, where takes_index()
  };
  [[nodiscard]] virtual bool takes_index() const { return false; }
  // Heads [L,M,D] and x [M,D] give [L,M]; so do heads [D], one for all rows, and x [L,M,D], unless
  // the likelihood takes an index.
  [[nodiscard]] virtual Var log_prob(const Target& target, const Heads& heads) const = 0;

  // As numbers: the heads of one example, [D * per_dim] each or [1]. A draw takes at most the four
  // words of a block.
  using HeadValues = std::vector<std::span<const float>>;
  [[nodiscard]] virtual double mean(const HeadValues& heads, std::size_t dim) const = 0;
  [[nodiscard]] virtual double draw(const HeadValues& heads, std::size_t dim,
                                    DrawCursor& draws) const = 0;

  // Whether x_d may have this value; the allowed values in words.
  [[nodiscard]] bool supports(float value, std::size_t dim) const;
  [[nodiscard]] std::string support(std::size_t dim) const;
  // If true, it is not a likelihood, and nothing made from it bounds log p(x).
  [[nodiscard]] virtual bool is_surrogate() const { return false; }

  // The head whose bias moves the mean of x, and the bias for a given mean; empty: no head does.
  struct Location {
    std::size_t head = 0;
    double bias = 0;
  };
  [[nodiscard]] virtual std::optional<Location> location(double mean) const;

  // For the coder: the heads of one item, whose element i is dimension place(i).
  using ItemHeads = std::vector<std::vector<float>>;
  [[nodiscard]] bool is_codable() const { return takes() != ValuesOfX::reals && levels() <= 256; }
  [[nodiscard]] virtual std::unique_ptr<codec::SymbolVector> coding(
      ItemHeads heads, const ChannelsFirst& place) const;
  // For one dimension, under as many sets of heads as there are elements.
  [[nodiscard]] virtual std::unique_ptr<codec::SymbolVector> coding_of(ItemHeads heads,
                                                                       std::size_t dim) const;

  // The same for many rows under many sets of heads at once.
  [[nodiscard]] virtual std::unique_ptr<LikelihoodPairs> pairs(std::int64_t dims) const;

 protected:
  static constexpr int coding_precision = 24;
  [[nodiscard]] virtual std::vector<HeadForm> forms()
      const = 0;  // before LikelihoodOptions::limited applies
  // Whether x_d, which has at most `levels` values, may have this one.
  [[nodiscard]] virtual bool allows(float value, std::int64_t levels) const;
  [[nodiscard]] virtual std::string allowed(std::int64_t levels) const;
  // Places for coding() that leave elements in their order.
  [[nodiscard]] static ChannelsFirst as_they_are(std::size_t count);
  [[nodiscard]] const LikelihoodOptions& options() const { return given_.options; }
  [[nodiscard]] double top() const { return static_cast<double>(levels() - 1); }
  [[nodiscard]] static double logit_of(double mean);   // the mean is kept off 0 and 1
  [[nodiscard]] double unsquashed(double mean) const;  // what `squash` turns into this mean
  // The cumulative weights of a softmax, as DrawCursor::categorical takes them.
  [[nodiscard]] static std::vector<double> running_weights(std::span<const float> logits);
  [[nodiscard]] static double value_at(std::span<const float> head, std::size_t i) {
    return static_cast<double>(head[i]);
  }

 private:
  Given given_;
};

[[nodiscard]] const std::vector<std::string>& likelihood_words();
// When one takes it, for people.
[[nodiscard]] const char* says_of_likelihood(const std::string& word);
[[nodiscard]] ValuesOfX values_of_likelihood(const std::string& word);
// A usage error for options that this likelihood cannot read.
[[nodiscard]] std::unique_ptr<const Likelihood> make_likelihood(const std::string& word,
                                                                const LevelsOfX& levels,
                                                                const LikelihoodOptions& options);

}  // namespace logpx
