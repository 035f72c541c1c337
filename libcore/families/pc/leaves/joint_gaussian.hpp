// Gaussians over several variables, of which any may be missing: the nodes of a joint leaf.
// [pc/README 2.2]
//
//   const SeenGaussian node(3, q, {.seen = {0, 2}, .hidden = {1}});
//   const double nats = node.log_p(x, z);  // x [3]; z: what it finds out about the seen values
//   node.fill(z, x);                       // x[1]: its mean, given the others
//
// Parameters of a node are its mean and the Cholesky factor L of its covariance L L^T, row by row;
// statistics are the weight, the sum and the squares of rows whose holes expectations fill.
#pragma once

#include "libcore/model/value_region.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx::pc {

struct JointForm {
  std::int64_t variables = 0;

  [[nodiscard]] std::int64_t triangle() const { return variables * (variables + 1) / 2; }
  [[nodiscard]] std::int64_t parameters() const { return variables + triangle(); }
  [[nodiscard]] std::int64_t statistics() const { return 1 + parameters(); }
};

// Which of a leaf's variables a row holds, by their place in the leaf.
struct SeenPlaces {
  std::vector<std::int64_t> seen, hidden;
  const ValueRegion* region = nullptr;  // where hidden[0] lies; null: anywhere
  bool whole = false;                   // whether hidden[0] is a whole number
};

// A node as rows with these holes meet it: with the variables in the order seen, hidden, its
// covariance is C C^T, C = [A 0; B D], and
//   z = A^-1 (x_seen - mean_seen),   hidden given seen ~ N(mean_hidden + B z, D D^T)
class SeenGaussian {
 public:
  struct Normal {
    double mean = 0, deviation = 1;
  };
  SeenGaussian(std::int64_t variables, std::span<const double> q, const SeenPlaces& places);

  // The log-density of the seen values of x; sets z [variables] to what fill() and given_rest()
  // read: above, and 0 for hidden variables.
  [[nodiscard]] double log_p(std::span<const double> x, std::span<double> z) const;
  // Sets hidden values: to their expectations, or, where z holds normal draws for them, to draws.
  void fill(std::span<const double> z, std::span<double> x) const;
  // The first hidden variable, given the seen ones that z knows of.
  [[nodiscard]] Normal first_hidden(std::span<const double> z) const;
  // The log-density of hidden values at their most probable ones.
  [[nodiscard]] double log_peak() const { return log_peak_; }
  // The distribution of each variable given all seen ones but itself, [variables]; `first` is what
  // else is known of the first hidden one, in deviations from first_hidden().
  void given_rest(std::span<const double> x, std::span<const double> z, std::span<Normal> rest,
                  Normal first) const;
  void given_rest(std::span<const double> x, std::span<const double> z,
                  std::span<Normal> rest) const {
    given_rest(x, z, rest, {});
  }
  // Adds weight times the expected statistics of a row that fill() completed, which are sums around
  // a centre, and for the rows of a group together the covariance that its hidden values keep.
  void add_row(std::span<const double> x, std::span<const double> centre, double weight,
               std::span<double> sums) const;
  void add_spread(double weight, std::span<double> sums) const;

 private:
  [[nodiscard]] double c(std::int64_t i, std::int64_t j) const;
  void factor(std::span<const double> l);

  std::int64_t variables_, seen_;
  std::vector<std::int64_t> order_;  // seen first
  std::vector<double> mean_, c_;     // in this order; c_ row by row
  double log_scale_ = 0, log_peak_ = 0;
};

// What the data say about the variables of a joint leaf.
struct JointData {
  std::vector<double> mean, deviation;  // [variables]
  std::vector<double> least;            // deviations that are added to all covariances
  std::vector<double> centre = {};      // of the statistics; empty: 0
};

// How the nodes of a leaf share what they learn.
struct JointStep {
  double pseudocount = 0;  // rows at the data's mean
  double pooled = 0;       // rows with the mean covariance of all nodes
  double rate = 1;         // how far parameters move towards the best ones
};

// The M-step of nodes 0 to n - 1, for sums [n, statistics] and q [n, parameters]:
//   mean = (sum w x + kappa m) / (n + kappa),   covariance = (S + c W) / (n + c) + least^2
// where W is the mean of all S / n. Nodes without counts and pseudocounts stay as they are.
void maximise_joint(const JointForm& form, const JointStep& step, const JointData& data,
                    std::span<const double> sums, std::span<double> q);

// Adds the expected statistics of so many rows that a node draws.
void add_node(const JointForm& form, std::span<const double> q, std::span<const double> centre,
              double weight, std::span<double> sums);
// A node at x, with the data's deviations times a factor.
void place_joint(const JointForm& form, const JointData& data, std::span<const double> x,
                 double factor, std::span<double> q);
// Nodes to the power 1 / temperature.
void temper_joint(const JointForm& form, double temperature, std::span<double> q);
// What is wrong with the parameters of a node; empty if nothing is.
[[nodiscard]] std::string joint_fault(const JointForm& form, std::span<const double> q);

}  // namespace logpx::pc
