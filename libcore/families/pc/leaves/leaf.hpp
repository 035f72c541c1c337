// A leaf that is not a table: a distribution with a few parameters. Passes and M-steps ask it and
// do not distinguish its kinds.   [pc/README 2.2]
//
//   const std::unique_ptr<Leaf> leaf = make_leaf(LeafKind::gaussian, 0);
//   leaf->log_p(q, values, nats);                 // q: the parameters of one node
//   leaf->add_statistics(q, value, weight, sums);
//   leaf->maximise(sums, data, q);
//
// Parameters and statistics of the nodes of a block are the rows of two tensors, "ID/q" and "ID/s";
// the second is room for expected counts, and no parameter.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::pc {

// A leaf is a table of probabilities, or a distribution with few parameters.
// dgaussian is of whole numbers of any size, all others of categories or real numbers.
enum class LeafKind { table, bernoulli, binomial, gaussian, dlogistic, dgaussian };
[[nodiscard]] const char* word_of(LeafKind kind);  // "categorical" is a table

// What the data say about a variable: for first parameters, pseudocounts and limits.
struct LeafData {
  double mean = 0, deviation = 1;
  std::vector<double> statistics = {};  // of one row on average: what a pseudocount adds
};

inline constexpr double least_deviation = 0.01;  // of a gaussian, in the data's deviations

class Leaf {
 public:
  virtual ~Leaf() = default;
  [[nodiscard]] virtual std::int64_t parameters() const = 0;
  [[nodiscard]] virtual std::int64_t statistics() const = 0;

  // Log-probabilities of these values under one node; log-densities for real ones.
  virtual void log_p(std::span<const double> q, std::span<const double> values,
                     std::span<double> nats) const = 0;
  // What an observed value is expected to say about the node with these parameters.
  virtual void add_statistics(std::span<const double> q, double value, double weight,
                              std::span<double> sums) const = 0;
  [[nodiscard]] virtual double weight(std::span<const double> sums) const { return sums[0]; }
  // The best parameters for statistics with a weight above 0. They are no worse than those that q
  // holds before, unless a limit is in the way.
  virtual void maximise(std::span<const double> sums, const LeafData& data,
                        std::span<double> q) const = 0;
  // Parameters near the data's, by a normal draw.
  virtual void draw(const LeafData& data, double normal, std::span<double> q) const = 0;

  [[nodiscard]] virtual double mode(std::span<const double> q) const = 0;
  [[nodiscard]] virtual double mean(std::span<const double> q) const = 0;
  // The square root of its variance, for real numbers.
  [[nodiscard]] virtual double deviation(std::span<const double> q) const {
    return value_at(q, 1) - mean(q);
  }
  // The value this many deviations above the middle, for real numbers.
  [[nodiscard]] virtual double value_at(std::span<const double> q, double deviations) const {
    return static_cast<void>(deviations), mode(q);
  }
  // Parameters of the distribution to the power 1 / temperature. Binomials take that power of the
  // odds, logistic leaves of the tails.
  virtual void temper(double temperature, std::span<double> q) const = 0;
  // What is wrong with the parameters of a node; empty if nothing is.
  [[nodiscard]] virtual std::string fault(std::span<const double> q) const = 0;
};

// A leaf for a variable with this many categories (0: real numbers); null for a table.
[[nodiscard]] std::unique_ptr<Leaf> make_leaf(LeafKind kind, std::int64_t categories);

// "" where a kind fits the variable, else what it needs ("two categories").
[[nodiscard]] std::string leaf_needs(LeafKind kind, std::int64_t categories);

// From counts of a variable's categories, or {rows, sum, sum of squares} of real numbers.
// Pseudocounts are spread evenly or as these data are; those of real numbers always as the data.
enum class Spread { evenly, as_data };
[[nodiscard]] LeafData leaf_data(const Leaf& leaf, std::span<const double> seen,
                                 std::int64_t categories, Spread spread);

// Mean and deviation alone.
[[nodiscard]] LeafData moments_of_reals(std::span<const double> seen);

// Probabilities of all categories under one node.
void fill_table(const Leaf& leaf, std::span<const double> q, std::span<double> p);
// The same for nodes whose parameters follow each other, [nodes, categories].
template <typename T>
[[nodiscard]] std::vector<double> tables_of(const Leaf& leaf, const T* parameters,
                                            std::int64_t nodes, std::int64_t categories);

// A logistic distribution in bins of width 1: category k is what lies between k and k + 1, category
// 0 all that lies below, the last one all above. Its parameters are mu and s; statistics are a
// histogram, from which maximise() takes Newton's steps in (mu, log s).   [pc/README 2.2]
class LogisticLeaf final : public Leaf {
 public:
  explicit LogisticLeaf(std::int64_t categories) : categories_(categories) {}
  [[nodiscard]] std::int64_t parameters() const override { return 2; }
  [[nodiscard]] std::int64_t statistics() const override { return categories_; }
  void log_p(std::span<const double> q, std::span<const double> values,
             std::span<double> nats) const override;
  void add_statistics(std::span<const double> q, double value, double weight,
                      std::span<double> sums) const override;
  [[nodiscard]] double weight(std::span<const double> sums) const override;
  void maximise(std::span<const double> sums, const LeafData& data,
                std::span<double> q) const override;
  void draw(const LeafData& data, double normal, std::span<double> q) const override;
  [[nodiscard]] double mode(std::span<const double> q) const override;
  [[nodiscard]] double mean(std::span<const double> q) const override;
  void temper(double temperature, std::span<double> q) const override { q[1] *= temperature; }
  [[nodiscard]] std::string fault(std::span<const double> q) const override;

 private:
  std::int64_t categories_;
};

// A gaussian of whole numbers: k has the mass between k - 1/2 and k + 1/2. Its parameters are the
// gaussian's mean and deviation; statistics are moments of the number behind k, as it is expected
// to lie in its interval, so that EM climbs.   [pc/README 2.2]
class WholeGaussian final : public Leaf {
 public:
  [[nodiscard]] std::int64_t parameters() const override { return 2; }
  [[nodiscard]] std::int64_t statistics() const override { return 3; }
  void log_p(std::span<const double> q, std::span<const double> values,
             std::span<double> nats) const override;
  void add_statistics(std::span<const double> q, double value, double weight,
                      std::span<double> sums) const override;
  void maximise(std::span<const double> sums, const LeafData& data,
                std::span<double> q) const override;
  void draw(const LeafData& data, double normal, std::span<double> q) const override;
  [[nodiscard]] double mode(std::span<const double> q) const override;
  [[nodiscard]] double mean(std::span<const double> q) const override { return q[0]; }
  [[nodiscard]] double deviation(std::span<const double> q) const override;
  [[nodiscard]] double value_at(std::span<const double> q, double deviations) const override;
  void temper(double temperature, std::span<double> q) const override;
  [[nodiscard]] std::string fault(std::span<const double> q) const override;
};

}  // namespace logpx::pc
