#include "libcore/families/pc/structures/region_settings.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

constexpr std::int64_t most_nodes_of_a_product = std::int64_t{1} << 31;

PixelGrid grid_of(const DatasetInfo& data) {
  return {.height = data.shape[0], .width = data.shape[1], .channels = data.shape[2]};
}

bool needs_pictures(const std::string& structure) {
  return has_regions(structure) && structure != "rat";
}

// Parts of the largest product.
std::int64_t most_parts(const std::string& structure, QuadSplit splits) {
  return structure == "quad-tree" && splits == QuadSplit::quarters ? 4 : 2;
}

void check_product(ProductKind product, std::int64_t parts, std::int64_t hidden) {
  if (product == ProductKind::hadamard) return;
  std::int64_t nodes = 1;
  for (std::int64_t i = 0; i < parts && nodes <= most_nodes_of_a_product; ++i) nodes *= hidden;
  if (nodes > most_nodes_of_a_product)
    fail(ErrorKind::usage, "--product",
         "is kronecker, and products of " + std::to_string(parts) + " parts of " +
             std::to_string(hidden) + " nodes have more than 2^31",
         "--product hadamard");
}

std::string too_many(const RegionCount& size) {
  return std::to_string(size.regions) + " regions and " + std::to_string(size.blocks) +
         " blocks, at most " + std::to_string(most_regions) + " and " + std::to_string(most_blocks);
}

QuadSplit split_of(const std::string& structure, QuadSplit splits) {
  return structure == "quad-graph" ? QuadSplit::both_halves : splits;
}

void check_quads(const std::string& structure, const PixelGrid& grid) {
  constexpr std::int64_t most_pixels = most_regions;  // each is a region
  if (grid.pixels() <= most_pixels &&
      count_of(quad_regions(grid, split_of(structure, QuadSplit::halves))).fits())
    return;
  fail(ErrorKind::usage, "--structure",
       "is " + structure + ", which makes more than " + std::to_string(most_regions) +
           " regions of pictures of " + std::to_string(grid.height) + " x " +
           std::to_string(grid.width),
       "--structure pd");
}

}  // namespace

bool has_regions(const std::string& structure) {
  return structure == "quad-tree" || structure == "quad-graph" || structure == "pd" ||
         structure == "rat";
}

void RegionSettings::describe(Fields& f, const std::string& structure) {
  const auto is = [&structure](const char* name) {
    return Condition{[&structure, name] { return structure == name; },
                     std::string("--structure ") + name};
  };
  const auto add = [](Field& field, const Condition& condition) -> Field& {
    return field.unset_while([holds = condition.holds] { return !holds(); })
        .when(condition)
        .rank(Rank::manual);
  };
  add(f.add("splits", splits,
            {{"2", QuadSplit::halves, "the upper and the lower two are joined first"},
             {"4", QuadSplit::quarters, "all four are joined at once"}},
            "how four cells of a picture become one"),
      is("quad-tree"));
  add(f.add("pd-step", pd_step, "pixels from one cut of a picture to the next")
          .range(1, 1 << 20)
          .shows_default("a quarter of the longer side"),
      is("pd"));
  add(f.add("depth", random.depth, "how often in sequence variables are split at random")
          .range(1, 62),
      is("rat"));
  add(f.add("repetitions", random.repetitions, "how often that begins anew").range(1, 1 << 16),
      is("rat"));
  add(f.add("product", product,
            {{"hadamard", ProductKind::hadamard, "node by node"},
             {"kronecker", ProductKind::kronecker,
              "every node with every other: more weights, with the square of the states"}},
            "how the parts of a region are multiplied"),
      {[&structure] { return has_regions(structure); },
       std::string("--structure ") + structures_of_regions});
}

void RegionSettings::settle(const std::string& structure, const DatasetInfo& data,
                            std::int64_t hidden) {
  if (!has_regions(structure)) return;
  if (needs_pictures(structure) && data.content != Content::image)
    fail(ErrorKind::usage, "--structure",
         "is " + structure + ", which splits pictures, and " + data.name + " holds none",
         "--structure rat");
  check_product(product, most_parts(structure, splits), hidden);
  if (structure == "pd") settle_step(grid_of(data));
  else if (needs_pictures(structure)) check_quads(structure, grid_of(data));
  if (structure == "rat") check_repetitions(data.dims());
}

void RegionSettings::settle_step(const PixelGrid& grid) {
  constexpr std::int64_t usual_parts = 4;
  const std::int64_t longest = std::max(grid.height, grid.width);
  if (!pd_step) pd_step = std::max<std::int64_t>(1, longest / usual_parts);
  const RegionCount size = count_of_boxes(grid, *pd_step);
  if (size.fits()) return;
  std::int64_t step = *pd_step;
  while (step < longest && !count_of_boxes(grid, step).fits()) ++step;
  fail(ErrorKind::usage, "--pd-step",
       "is " + std::to_string(*pd_step) + ", which makes " + too_many(size),
       "--pd-step " + std::to_string(step));
}

// All draws split as many variables, so any tell how many regions there will be.
void RegionSettings::check_repetitions(std::int64_t variables) const {
  const Substream draws = Rng(0).stream(Stream::structure);
  if (count_of(random_regions(variables, random, draws)).fits()) return;
  const RegionCount one =
      count_of(random_regions(variables, {.depth = random.depth, .repetitions = 1}, draws));
  const std::int64_t most = std::min(most_regions / one.regions, most_blocks / one.blocks);
  fail(ErrorKind::usage, "--repetitions",
       "are " + std::to_string(random.repetitions) + ", each of about " +
           std::to_string(one.regions) + " regions and " + std::to_string(one.blocks) +
           " blocks; at most " + std::to_string(most_regions) + " and " +
           std::to_string(most_blocks) + " in all",
       most > 0 ? "--repetitions " + std::to_string(most) : "--structure hclt");
}

RegionGraph RegionSettings::regions(const std::string& structure, const DatasetInfo& data,
                                    Substream draws) const {
  if (structure == "rat") return random_regions(data.dims(), random, draws);
  if (structure == "pd") return box_regions(grid_of(data), *pd_step);
  return quad_regions(grid_of(data), split_of(structure, splits));
}

}  // namespace logpx::pc
