// A logistic distribution in bins of width 1: category k is what lies between k and k + 1, category
// 0 all that lies below, the last one all above. Its parameters are mu and s; statistics are a
// histogram, from which maximise() takes Newton's steps in (mu, log s).   [pc/README 2.2]
#pragma once

#include "libcore/families/pc/leaves/leaf.hpp"

namespace logpx::pc {

class LogisticLeaf final : public Leaf {
 public:
  explicit LogisticLeaf(std::int64_t categories) : categories_(categories) {}
  [[nodiscard]] std::int64_t parameters() const override { return 2; }
  [[nodiscard]] std::int64_t statistics() const override { return categories_; }
  void log_p(std::span<const double> q, std::span<const double> values,
             std::span<double> nats) const override;
  void add_statistics(double value, double weight, std::span<double> sums) const override;
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

}  // namespace logpx::pc
