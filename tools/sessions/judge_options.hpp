// The options of fid-extrapolate: which scores, at which sizes, with which intervals.
// [eval/README 10]
#pragma once

#include "libcore/judge/extrapolation.hpp"
#include "libcore/judge/kernel_distance.hpp"
#include "libcore/judge/subset_scores.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class Fields;

enum class KidMode { full, subsets };

struct JudgeOptions {
  std::vector<std::string> metrics = {"fid", "kid"};
  std::int64_t neighbours = 5;
  std::string sizes;  // empty: from the number of rows
  SubsetKind subset = SubsetKind::shuffle;
  std::int64_t repeats = 1;
  bool symmetric = false, weighted = false;
  KidMode kid_mode = KidMode::full;
  KernelSubsets kid_subsets;
  std::int64_t kid_degree = 3;
  std::optional<double> kid_gamma;  // none: 1/d
  double kid_coef0 = 1;
  std::optional<std::int64_t> bootstrap;  // none: 100 where d <= 256, else 0
  double level = 0.95;

  void describe(Fields& fields);
  // A usage error for unknown metrics, and for options without effect.
  void check(const Fields& fields) const;
  [[nodiscard]] bool asks(const std::string& metric) const;

  // Sizes for so many rows of `d` features; `who` names them in messages.
  struct Rows {
    std::string who;
    std::int64_t n = 0, d = 0;
  };
  [[nodiscard]] SubsetPlan plan(const Rows& rows) const;
  [[nodiscard]] ExtrapolationSettings settings(std::int64_t d) const;
  [[nodiscard]] PolynomialKernel kernel(std::int64_t d) const;
};

}  // namespace logpx
