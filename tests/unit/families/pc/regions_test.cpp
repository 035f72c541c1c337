// Graphs of regions, and the circuits that they become.
#include "libcore/families/pc/structures/regions.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/structures/region_settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace logpx::regions_test {

using namespace logpx::pc;

namespace {

std::vector<Variable> bits(std::int64_t count) {
  std::vector<Variable> variables;
  for (std::int64_t v = 0; v < count; ++v) variables.push_back({'x' + std::to_string(v), 2});
  return variables;
}

Circuit circuit_of(const RegionGraph& graph, std::int64_t variables, RegionForm form = {}) {
  if (form.sums.m.empty()) form.sums = square_sum(3, {});
  Circuit circuit = region_circuit(bits(variables), graph, form);
  CHECK(find_faults(circuit).empty());
  return circuit;
}

std::int64_t blocks_called(const Circuit& circuit, const std::string& prefix) {
  return std::ranges::count_if(circuit.blocks,
                               [&](const Block& b) { return b.id.starts_with(prefix + '.'); });
}

Substream draws(std::uint64_t seed) { return Rng(seed).stream(Stream::structure); }

std::set<int> variables_below(const RegionGraph& graph, int region) {
  const Region& whole = graph.regions[at(region)];
  std::set<int> all(whole.variables.begin(), whole.variables.end());
  for (const int part : whole.partitions.empty() ? std::vector<int>() : whole.partitions[0])
    all.merge(variables_below(graph, part));
  return all;
}

DatasetInfo pictures(std::int64_t height, std::int64_t width, std::int64_t channels = 1) {
  DatasetInfo info;
  info.name = "pictures";
  info.content = Content::image;
  info.shape = {height, width, channels};
  return info;
}

}  // namespace

TEST_CASE("pc regions: a quad-tree joins four cells by halves or at once, and borders two") {
  const RegionGraph halves = quad_regions({.height = 4, .width = 4}, QuadSplit::halves);
  CHECK(halves.regions.size() == 16 + 4 * 3 + 3);
  const Circuit tree = circuit_of(halves, 16);
  CHECK(blocks_called(tree, "leaf") == 16);
  CHECK(blocks_called(tree, "sum2") == 14);  // the root sums its product itself
  CHECK(is_structured_decomposable(tree));
  const Circuit four = circuit_of(quad_regions({.height = 4, .width = 4}, QuadSplit::quarters), 16);
  CHECK(blocks_called(four, "sum4") == 4);
  const RegionGraph odd = quad_regions({.height = 3, .width = 3}, QuadSplit::halves);
  const Region& top = odd.regions[at(odd.root)];  // two rows of cells above one of two
  CHECK(top.partitions.size() == 1);
  CHECK(variables_below(odd, top.partitions[0][0]) == std::set<int>{0, 1, 2, 3, 4, 5});
  CHECK(variables_below(odd, top.partitions[0][1]) == std::set<int>{6, 7, 8});
  CHECK(odd.regions.size() == 9 + 3 + 1 + 1 + 3);
}

TEST_CASE("pc regions: a quad-graph mixes both ways to split four cells, so it is no tree") {
  const RegionGraph graph = quad_regions({.height = 4, .width = 4}, QuadSplit::both_halves);
  CHECK(graph.regions.size() == 16 + 5 * 5);
  const Circuit circuit = circuit_of(graph, 16);
  CHECK(blocks_called(circuit, "mix2") == 4);  // the root sums both of its products
  CHECK(circuit.blocks[at(circuit.root)].children.size() == 2);
  CHECK_FALSE(is_structured_decomposable(circuit));
  CHECK_FALSE(facts_of(circuit).structured_decomposable);
}

TEST_CASE("pc regions: the channels of a pixel are one region") {
  const RegionGraph graph =
      quad_regions({.height = 2, .width = 2, .channels = 3}, QuadSplit::halves);
  CHECK(graph.regions[0].variables == std::vector<int>{0, 4, 8});
  CHECK(blocks_called(circuit_of(graph, 12), "joint") == 4);
}

TEST_CASE("pc regions: boxes that are met twice are one region, and all cuts of a box are mixed") {
  const PixelGrid grid = {.height = 6, .width = 7};
  const RegionGraph graph = box_regions(grid, 2);  // 3 x 4 parts
  CHECK(graph.regions.size() == 6 * 10);
  CHECK(graph.regions[at(graph.root)].partitions.size() == 2 + 3);
  const RegionCount size = count_of_boxes(grid, 2);
  CHECK(size.regions == 60);
  const Circuit circuit = circuit_of(graph, 42);
  CHECK(std::ssize(circuit.blocks) <= size.blocks);
  CHECK(blocks_called(circuit, "joint") == 3 * 4);
  CHECK(blocks_called(circuit, "mix4") > 0);
  CHECK_FALSE(is_structured_decomposable(circuit));
  CHECK(box_regions(grid, 7).regions.size() == 1);
  CHECK_FALSE(count_of_boxes({.height = 1 << 20, .width = 1 << 20}, 1).fits());
}

TEST_CASE("pc regions: random halves are as even as they can be, and the same for the same seed") {
  const RandomSplits splits = {.depth = 2, .repetitions = 3};
  const RegionGraph graph = random_regions(11, splits, draws(1));
  CHECK(graph.regions[at(graph.root)].partitions.size() == 3);
  for (const std::vector<int>& parts : graph.regions[at(graph.root)].partitions) {
    std::set<std::size_t> sizes;
    for (const int part : parts) sizes.insert(variables_below(graph, part).size());
    CHECK(sizes == std::set<std::size_t>{5, 6});
  }
  const auto first_half = [&](std::uint64_t seed) {
    const RegionGraph made = random_regions(11, splits, draws(seed));
    return variables_below(made, made.regions[at(made.root)].partitions[0][0]);
  };
  CHECK(first_half(1) == first_half(1));
  CHECK(first_half(1) != first_half(2));
  const Circuit one = circuit_of(random_regions(11, {.depth = 9, .repetitions = 1}, draws(1)), 11);
  CHECK(is_structured_decomposable(one));
  CHECK(blocks_called(one, "leaf") == 11);
  // Single variables are met in every repetition, and two have one split only.
  CHECK(random_regions(2, {.depth = 9, .repetitions = 5}, draws(1)).regions.size() == 3);
}

TEST_CASE("pc regions: every node of a part meets every other in a kronecker product") {
  const RegionGraph graph = quad_regions({.height = 2, .width = 2}, QuadSplit::quarters);
  const Circuit circuit = circuit_of(
      graph, 4,
      {.sums = {.m = {2, 2}, .n = {2, 2}, .program = {}}, .product = ProductKind::kronecker});
  CHECK(circuit.blocks[at(circuit.blocks[at(circuit.root)].children[0])].size == 256);
  const Circuit halves = circuit_of(
      quad_regions({.height = 2, .width = 2}, QuadSplit::halves), 4,
      {.sums = {.m = {2, 2}, .n = {2, 2}, .program = {}}, .product = ProductKind::kronecker});
  const auto sum = std::ranges::find(halves.blocks, BlockKind::sum, &Block::kind);
  CHECK(sum->factors.n == std::vector<std::int64_t>{4, 4});
}

TEST_CASE("pc regions: leaves are shared by channel, or by all") {
  const RegionGraph graph =
      quad_regions({.height = 2, .width = 2, .channels = 3}, QuadSplit::both_halves);
  const auto owners = [&](TieLeaves tied) {
    const Circuit circuit =
        circuit_of(graph, 12, {.sums = {}, .ties = {.tied = tied, .pixels = 4}});
    return std::ranges::count_if(circuit.blocks, [](const Block& block) {
      return block.kind == BlockKind::leaf && block.tied_to < 0;
    });
  };
  CHECK(owners(TieLeaves::none) == 12);
  CHECK(owners(TieLeaves::channel) == 3);
  CHECK(owners(TieLeaves::all) == 1);
}

TEST_CASE("pc regions: what would be more than 20000 regions is refused before it is made") {
  const auto refused = [](const char* structure, RegionSettings settings, const DatasetInfo& data) {
    try {
      settings.settle(structure, data, 4);
    } catch (const Error& error) {
      return error.subject() + ": " + error.message() + " | " + error.hint();
    }
    return std::string();
  };
  CHECK(refused("pd", {}, pictures(28, 28)).empty());
  CHECK(refused("pd", {.pd_step = 1}, pictures(28, 28)) ==
        "--pd-step: is 1, which makes 164836 regions and 6099716 blocks, at most 20000 and 100000 "
        "| --pd-step 3");
  CHECK(refused("quad-graph", {}, pictures(64, 64)).empty());
  CHECK(refused("quad-graph", {}, pictures(100, 100)).starts_with("--structure: is quad-graph"));
  CHECK(refused("quad-tree", {}, pictures(4096, 4096)).starts_with("--structure: is quad-tree"));
  CHECK(refused("rat", {.random = {.depth = 4, .repetitions = 60'000}}, pictures(8, 8))
            .starts_with("--repetitions: are 60000"));
}

}  // namespace logpx::regions_test
