// In which order molecules became known, by the kinds of their parts: bonds (E), pairs of atoms
// without a bond (N) and atoms (A).   [LO-ARM app. C; data/README 5.4]
//
//   const std::string shape = order_template("EENAA");  // "ENA"
//   const TemplateFigures all = template_figures(info, rows, orders, "ENA");
#pragma once

#include "libcore/data/order_pictures.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logpx {

inline constexpr std::string_view kinds_of_parts = "ENA";

// A letter for every step of molecule `row`: the kind of its part. A data error where the order
// names a part that the molecule lacks.
[[nodiscard]] std::string kinds_of_steps(const DatasetInfo& info, const Rows& rows,
                                         const ValueOrders& orders, std::int64_t row);

// The kinds with each run of equal letters as one.
[[nodiscard]] std::string order_template(std::string_view kinds);

struct TemplateFigures {
  std::vector<std::pair<std::string, double>> shares = {};  // of every template, falling
  double equal = 0;                                         // the share of the one asked for
  // Over molecules of two atoms or more: mean place of each kind, from 0 (first) to 1 (last), NaN
  // where no molecule has the kind; and Kendall's tau of the steps with the order asked for, over
  // pairs of parts of different kinds.
  std::array<double, 3> ranks = {};  // of kinds_of_parts
  double tau = 0;
};
// `wanted` has each of the kinds once.
[[nodiscard]] TemplateFigures template_figures(const DatasetInfo& info, const Rows& rows,
                                               const ValueOrders& orders, std::string_view wanted);

}  // namespace logpx
