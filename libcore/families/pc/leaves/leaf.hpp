// A leaf that is no table of its values: a distribution with a few parameters. Passes and M-steps
// ask it, and know no kinds.   [spec/pc.md section 2.2]
//
//   const std::unique_ptr<Leaf> leaf = make_leaf(LeafKind::gaussian, 0);
//   leaf->log_p(q, values, nats);                 // q: the parameters of one node
//   leaf->add_statistics(value, weight, sums);
//   leaf->maximise(sums, data, q);
//
// Parameters and statistics of the nodes of a block are the rows of two tensors, "ID/q" and "ID/s";
// the second is room for expected counts, and no parameter.
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::pc {

// What the data say of a variable: for first parameters, pseudocounts and limits.
struct LeafData {
  double mean = 0, deviation = 1;
  std::vector<double> statistics = {};  // of one row on average: what a pseudocount adds
};

class Leaf {
 public:
  virtual ~Leaf() = default;
  [[nodiscard]] virtual std::int64_t parameters() const = 0;
  [[nodiscard]] virtual std::int64_t statistics() const = 0;

  // Log-probabilities of these values under one node; of real ones log-densities.
  virtual void log_p(std::span<const double> q, std::span<const double> values,
                     std::span<double> nats) const = 0;
  virtual void add_statistics(double value, double weight, std::span<double> sums) const = 0;
  [[nodiscard]] virtual double weight(std::span<const double> sums) const { return sums[0]; }
  // The best parameters for statistics with a weight above 0; q holds those before. Never worse
  // than those, unless a limit is in the way.
  virtual void maximise(std::span<const double> sums, const LeafData& data,
                        std::span<double> q) const = 0;
  // Parameters near the data's, by a normal draw.
  virtual void draw(const LeafData& data, double normal, std::span<double> q) const = 0;

  [[nodiscard]] virtual double mode(std::span<const double> q) const = 0;
  [[nodiscard]] virtual double mean(std::span<const double> q) const = 0;
  // Of real numbers: the one so many deviations above the middle.
  [[nodiscard]] virtual double value_at(std::span<const double> q, double deviations) const {
    return static_cast<void>(deviations), mode(q);
  }
  // Parameters of the distribution to the power 1 / temperature; of binomials and logistic ones of
  // what is like it: their odds and their tails to that power.
  virtual void temper(double temperature, std::span<double> q) const = 0;
  // What is wrong with the parameters of a node; empty: nothing.
  [[nodiscard]] virtual std::string fault(std::span<const double> q) const = 0;
};

// Of a variable with so many categories, 0 for real numbers; null for a table.
[[nodiscard]] std::unique_ptr<Leaf> make_leaf(LeafKind kind, std::int64_t categories);

// Which variables a kind is for: "" where it fits, else what it needs ("two categories").
[[nodiscard]] std::string leaf_needs(LeafKind kind, std::int64_t categories);

// From how often each category of a variable is seen, or of real numbers {rows, sum, sum of
// squares}. Pseudocounts follow that, or are spread evenly; of real numbers they follow it always.
enum class Spread { evenly, as_data };
[[nodiscard]] LeafData leaf_data(const Leaf& leaf, std::span<const double> seen,
                                 std::int64_t categories, Spread spread);

// Probabilities of all categories under one node.
void fill_table(const Leaf& leaf, std::span<const double> q, std::span<double> p);
// The same of nodes whose parameters follow each other, [nodes, categories].
template <typename T>
[[nodiscard]] std::vector<double> tables_of(const Leaf& leaf, const T* parameters,
                                            std::int64_t nodes, std::int64_t categories);

}  // namespace logpx::pc
