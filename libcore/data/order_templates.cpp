#include "libcore/data/order_templates.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace logpx {
namespace {

// Pairs of steps of different kinds: those in the wanted order less those in reverse; and all.
struct StepPairs {
  double sum = 0, count = 0;
  [[nodiscard]] double tau() const { return count > 0 ? sum / count : 0; }
};

StepPairs pairs_of_steps(std::string_view kinds, std::string_view wanted) {
  StepPairs pairs;
  std::array<double, kinds_of_parts.size()> before{};  // by place in `wanted`
  for (const char kind : kinds) {
    const std::size_t own = wanted.find(kind);
    for (std::size_t other = 0; other < before.size(); ++other) {
      if (other == own) continue;
      pairs.sum += other < own ? before[other] : -before[other];
      pairs.count += before[other];
    }
    ++before[own];
  }
  return pairs;
}

}  // namespace

std::string kinds_of_steps(const DatasetInfo& info, const Rows& rows, const ValueOrders& orders,
                           std::int64_t row) {
  const Molecule molecule = molecule_of_row(info, rows, row);
  const std::size_t atoms = molecule.atoms.size();
  std::string kinds;
  for (const std::int32_t dim : orders.order.subspan(at(row * info.dims()), at(info.dims()))) {
    if (dim < 0) break;
    if (dim >= dims_of_atoms(molecule.size()))
      fail(ErrorKind::data, info.name,
           "row " + std::to_string(row) + " has part " + std::to_string(dim) +
               " in its order, and its molecule has " +
               std::to_string(dims_of_atoms(molecule.size())));
    if (at(dim) < atoms) kinds += 'A';
    else kinds += molecule.bonds[at(dim) - atoms] > 0 ? 'E' : 'N';
  }
  return kinds;
}

std::string order_template(std::string_view kinds) {
  std::string runs(kinds);
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

TemplateFigures template_figures(const DatasetInfo& info, const Rows& rows,
                                 const ValueOrders& orders, std::string_view wanted) {
  std::map<std::string, double> counts;
  std::array<double, kinds_of_parts.size()> sums{}, parts{};
  double taus = 0, ordered = 0;
  for (std::int64_t row = 0; row < orders.count; ++row) {
    const std::string kinds = kinds_of_steps(info, rows, orders, row);
    ++counts[order_template(kinds)];
    for (std::size_t step = 0; kinds.size() > 1 && step < kinds.size(); ++step) {
      const std::size_t kind = kinds_of_parts.find(kinds[step]);
      sums[kind] += static_cast<double>(step) / static_cast<double>(kinds.size() - 1);
      ++parts[kind];
    }
    if (const StepPairs pairs = pairs_of_steps(kinds, wanted); pairs.count > 0) {
      taus += pairs.tau();
      ++ordered;
    }
  }
  TemplateFigures told;
  for (const auto& [name, count] : counts)
    told.shares.emplace_back(name, count / static_cast<double>(orders.count));
  std::ranges::stable_sort(told.shares, std::greater(),
                           [](const auto& share) { return share.second; });
  for (const auto& [name, share] : told.shares)
    if (name == wanted) told.equal = share;
  for (std::size_t kind = 0; kind < parts.size(); ++kind)
    told.ranks[kind] =
        parts[kind] > 0 ? sums[kind] / parts[kind] : std::numeric_limits<double>::quiet_NaN();
  told.tau = ordered > 0 ? taus / ordered : std::numeric_limits<double>::quiet_NaN();
  return told;
}

}  // namespace logpx
