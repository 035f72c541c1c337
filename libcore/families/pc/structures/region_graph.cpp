#include "libcore/families/pc/structures/region_graph.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace logpx::pc {
namespace {

int add_region(RegionGraph& graph, Region region) {
  graph.regions.push_back(std::move(region));
  return static_cast<int>(graph.regions.size()) - 1;
}

int add_whole(RegionGraph& graph, std::vector<int> parts) {
  return add_region(graph, {.partitions = {std::move(parts)}});
}

// All channels of the pixels of a box.
struct Box {
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;
};
std::vector<int> variables_in(const PixelGrid& grid, const Box& box) {
  std::vector<int> variables;
  for (std::int64_t c = 0; c < grid.channels; ++c)
    for (std::int64_t y = box.top; y < box.bottom; ++y)
      for (std::int64_t x = box.left; x < box.right; ++x)
        variables.push_back(static_cast<int>((c * grid.height + y) * grid.width + x));
  return variables;
}

// Regions in rows and columns.
struct Cells {
  std::int64_t height = 0, width = 0;
  std::vector<int> regions = {};
  [[nodiscard]] int at(std::int64_t y, std::int64_t x) const {
    return regions[static_cast<std::size_t>(y * width + x)];
  }
};

Cells pixel_cells(RegionGraph& graph, const PixelGrid& grid) {
  Cells cells{.height = grid.height, .width = grid.width};
  for (std::int64_t y = 0; y < grid.height; ++y)
    for (std::int64_t x = 0; x < grid.width; ++x)
      cells.regions.push_back(
          add_region(graph, {.variables = variables_in(grid, {y, y + 1, x, x + 1})}));
  return cells;
}

int joined_four(RegionGraph& graph, const std::array<int, 4>& cell, QuadSplit split) {
  const auto [a, b, c, d] = cell;
  if (split == QuadSplit::quarters) return add_whole(graph, {a, b, c, d});
  const int upper = add_whole(graph, {a, b}), lower = add_whole(graph, {c, d});
  if (split == QuadSplit::halves) return add_whole(graph, {upper, lower});
  const int left = add_whole(graph, {a, c}), right = add_whole(graph, {b, d});
  return add_region(graph, {.partitions = {{upper, lower}, {left, right}}});
}

// Two by two cells from here on, or what the border leaves of them.
int joined_cells(RegionGraph& graph, const Cells& cells, std::int64_t y, std::int64_t x,
                 QuadSplit split) {
  const bool below = y + 1 < cells.height, beside = x + 1 < cells.width;
  const int first = cells.at(y, x);
  if (!below && !beside) return first;
  if (!below) return add_whole(graph, {first, cells.at(y, x + 1)});
  if (!beside) return add_whole(graph, {first, cells.at(y + 1, x)});
  return joined_four(graph, {first, cells.at(y, x + 1), cells.at(y + 1, x), cells.at(y + 1, x + 1)},
                     split);
}

// How many multiples of the step begin a part of this length.
std::int64_t parts_of(std::int64_t length, std::int64_t step) { return (length + step - 1) / step; }

// Boxes by their bounds, counted in steps.
class Boxes {
 public:
  Boxes(const PixelGrid& grid, std::int64_t step) : grid_(grid), step_(step) {}

  RegionGraph all() {
    graph_.root = region({0, parts_of(grid_.height, step_), 0, parts_of(grid_.width, step_)});
    return std::move(graph_);
  }

 private:
  int region(const Box& box) {
    const std::array<std::int64_t, 4> bounds = {box.top, box.bottom, box.left, box.right};
    if (const auto known = known_.find(bounds); known != known_.end()) return known->second;
    Region whole;
    for (std::int64_t y = box.top + 1; y < box.bottom; ++y)
      whole.partitions.push_back({region({box.top, y, box.left, box.right}),
                                  region({y, box.bottom, box.left, box.right})});
    for (std::int64_t x = box.left + 1; x < box.right; ++x)
      whole.partitions.push_back({region({box.top, box.bottom, box.left, x}),
                                  region({box.top, box.bottom, x, box.right})});
    if (whole.partitions.empty())
      whole.variables =
          variables_in(grid_, {box.top * step_, std::min(box.bottom * step_, grid_.height),
                               box.left * step_, std::min(box.right * step_, grid_.width)});
    return known_[bounds] = add_region(graph_, std::move(whole));
  }

  const PixelGrid& grid_;
  std::int64_t step_;
  RegionGraph graph_ = {};
  std::map<std::array<std::int64_t, 4>, int> known_ = {};
};

// Sets of variables, in ascending order.
class RandomHalves {
 public:
  explicit RandomHalves(Substream draws) : draws_(draws) {}

  int region(const std::vector<int>& variables) {
    const auto [known, added] = known_.try_emplace(variables, -1);
    if (added) known->second = add_region(graph, {.variables = variables});
    return known->second;
  }
  void split(const std::vector<int>& whole, std::int64_t depth) {
    if (depth == 0 || whole.size() == 1) return;
    std::vector<int> shuffled = whole;
    for (std::size_t i = shuffled.size() - 1; i > 0; --i)
      std::swap(shuffled[i], shuffled[draws_.below(static_cast<std::uint32_t>(i) + 1)]);
    const auto middle = shuffled.begin() + std::ssize(shuffled) / 2;
    std::sort(shuffled.begin(), middle);
    std::sort(middle, shuffled.end());
    const std::vector<int> one(shuffled.begin(), middle), other(middle, shuffled.end());
    std::vector<int> parts = {region(one), region(other)};
    std::ranges::sort(parts);
    Region& split_region = graph.regions[at(region(whole))];
    split_region.variables.clear();
    if (std::ranges::find(split_region.partitions, parts) == split_region.partitions.end())
      split_region.partitions.push_back(std::move(parts));
    split(one, depth - 1);
    split(other, depth - 1);
  }

  RegionGraph graph = {};

 private:
  Cursor draws_;
  std::map<std::vector<int>, int> known_ = {};
};

}  // namespace

bool RegionCount::fits() const { return regions <= most_regions && blocks <= most_blocks; }

RegionCount count_of(const RegionGraph& graph) {
  RegionCount size{.regions = std::ssize(graph.regions)};
  for (const Region& region : graph.regions)
    size.blocks += std::ssize(region.variables) + 2 * std::ssize(region.partitions) + 1;
  return size;
}

RegionGraph quad_regions(const PixelGrid& grid, QuadSplit split) {
  RegionGraph graph;
  Cells cells = pixel_cells(graph, grid);
  while (cells.regions.size() > 1) {
    Cells larger{.height = parts_of(cells.height, 2), .width = parts_of(cells.width, 2)};
    for (std::int64_t y = 0; y < cells.height; y += 2)
      for (std::int64_t x = 0; x < cells.width; x += 2)
        larger.regions.push_back(joined_cells(graph, cells, y, x, split));
    cells = std::move(larger);
  }
  graph.root = cells.regions[0];
  return graph;
}

RegionGraph box_regions(const PixelGrid& grid, std::int64_t step) {
  return Boxes(grid, step).all();
}

RegionCount count_of_boxes(const PixelGrid& grid, std::int64_t step) {
  constexpr double most = 1e15;
  const auto rows = static_cast<double>(parts_of(grid.height, step)),
             columns = static_cast<double>(parts_of(grid.width, step));
  // Intervals within n steps, and the cuts inside of all of them.
  const auto intervals = [](double n) { return n * (n + 1) / 2; };
  const auto cuts = [](double n) { return (n - 1) * n * (n + 1) / 6; };
  const double regions = intervals(rows) * intervals(columns),
               partitions = cuts(rows) * intervals(columns) + cuts(columns) * intervals(rows),
               values = static_cast<double>(grid.pixels() * grid.channels);
  return {.regions = static_cast<std::int64_t>(std::min(regions, most)),
          .blocks = static_cast<std::int64_t>(std::min(values + 2 * partitions + regions, most))};
}

RegionGraph random_regions(std::int64_t variables, const RandomSplits& splits, Substream draws) {
  std::vector<int> all(at(variables));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
  RandomHalves halves(draws);
  halves.graph.root = halves.region(all);
  for (std::int64_t i = 0; i < splits.repetitions && count_of(halves.graph).fits(); ++i)
    halves.split(all, splits.depth);
  return std::move(halves.graph);
}

}  // namespace logpx::pc
