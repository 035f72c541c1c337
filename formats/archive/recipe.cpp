#include "formats/archive/recipe.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::uint64_t most_chunk = 16u << 20, most_row = 1u << 22;
constexpr std::uint32_t widest_pixel = 8;
constexpr std::size_t highest = 4 * most_streams;  // layers

[[noreturn]] void refuse(const char* reason) { fail(ErrorKind::data, "recipe", reason); }

std::uint64_t number_below(WireReader& in, std::uint64_t most, const char* reason) {
  const std::uint64_t number = in.varint();
  if (number == 0 || number > most) refuse(reason);
  return number;
}

void write_rasters(WireWriter& out, const RecipeStep& step) {
  const auto put = [&](std::int64_t number) { out.varint(static_cast<std::uint64_t>(number)); };
  put(step.shape.height);
  put(step.shape.width);
  put(step.shape.channels);
  out.varint(step.bytes / static_cast<std::uint64_t>(step.shape.size()));
}

void read_rasters(WireReader& in, RecipeStep& step) {
  const auto number = [&](std::uint64_t most) {
    return static_cast<std::int64_t>(number_below(in, most, "has a raster of an impossible size"));
  };
  step.shape.height = number(max_block_bytes);
  step.shape.width = number(max_block_bytes);
  step.shape.channels = number(256);
  const std::int64_t most = max_block_bytes;
  if (step.shape.height * step.shape.width > most || step.shape.size() > most)
    refuse("has a raster of an impossible size");
  const auto size = static_cast<std::uint64_t>(step.shape.size());
  step.bytes = size * number_below(in, max_run_content / size, "has more rasters than a run holds");
}

void write_layer(WireWriter& out, const RecipeStep& step) {
  if (is_stream(step.layer)) out.varint(step.how);
  if (step.layer == Layer::chunks) out.varint(step.size);
  if (step.layer == Layer::rows)
    out.varint(step.size).varint(2 * step.pixel + (step.least_sums ? 1 : 0));
}

void read_layer(WireReader& in, RecipeStep& step) {
  if (is_stream(step.layer)) step.how = static_cast<std::uint32_t>(in.varint());
  if (step.layer == Layer::chunks)
    step.size = number_below(in, most_chunk, "has chunks of an impossible size");
  if (step.layer != Layer::rows) return;
  step.size = number_below(in, most_row, "has rows of an impossible size");
  const std::uint64_t code = in.varint();
  step.pixel = static_cast<std::uint32_t>(std::min<std::uint64_t>(code / 2, widest_pixel + 1));
  step.least_sums = code % 2 != 0;
  if (step.pixel == 0 || step.pixel > widest_pixel) refuse("has pixels of an impossible size");
}

}  // namespace

std::uint64_t content_bytes(const Recipe& recipe) {
  std::uint64_t sum = 0;
  for (const RecipeStep& step : recipe.steps) sum += step.bytes;
  return sum;
}

std::uint32_t number_of(const deflate::Parameters& parameters) {
  const std::uint32_t flags = (parameters.far_threes ? 1u : 0u) | (parameters.gzip_ends ? 2u : 0u) |
                              (parameters.fixed_trees ? 4u : 0u);
  std::uint32_t number = flags << 3 | static_cast<std::uint32_t>(parameters.strategy);
  for (const std::uint8_t part :
       {parameters.block, parameters.window, parameters.memory, parameters.level})
    number = number << 4 | part;
  return number;
}

deflate::Parameters parameters_of(std::uint32_t number) {
  deflate::Parameters parameters;
  for (std::uint8_t* const part :
       {&parameters.level, &parameters.memory, &parameters.window, &parameters.block}) {
    *part = number & 15;
    number >>= 4;
  }
  parameters.strategy = static_cast<deflate::Strategy>(number & 7);
  parameters.far_threes = (number & 8) != 0;
  parameters.gzip_ends = (number & 16) != 0;
  parameters.fixed_trees = (number & 32) != 0;
  return parameters;
}

void write_recipe(WireWriter& out, const Recipe& recipe) {
  out.varint(recipe.file_bytes).varint(recipe.steps.size());
  for (const RecipeStep& step : recipe.steps) {
    const int layer = step.what == RecipeStep::What::open ? static_cast<int>(step.layer) : 0;
    out.u8(static_cast<std::uint8_t>(static_cast<int>(step.what) + layer));
    if (step.what == RecipeStep::What::bytes) out.varint(step.bytes);
    else if (step.what == RecipeStep::What::rasters) write_rasters(out, step);
    else if (step.what == RecipeStep::What::open) write_layer(out, step);
  }
}

Recipe read_recipe(WireReader& in, std::uint64_t& steps_left) {
  Recipe recipe{.steps = {}, .file_bytes = in.varint()};
  const std::uint64_t count = in.varint();
  if (count > steps_left || count > in.rest().size()) refuse("has more steps than a run holds");
  steps_left -= count;
  recipe.steps.resize(count);
  std::uint64_t content = 0;
  for (RecipeStep& step : recipe.steps) {
    constexpr int open = static_cast<int>(RecipeStep::What::open);
    const int code = in.u8(), layer = code - open;
    if (layer > static_cast<int>(Layer::directory)) refuse("has a step that is not known here");
    step.what = static_cast<RecipeStep::What>(std::min(code, open));
    if (step.what == RecipeStep::What::bytes)
      step.bytes = number_below(in, max_run_content, "puts more bytes than a run holds");
    else if (step.what == RecipeStep::What::rasters) read_rasters(in, step);
    else if (step.what == RecipeStep::What::open) {
      step.layer = static_cast<Layer>(layer);
      read_layer(in, step);
    }
    content += step.bytes;
    if (content > max_run_content) refuse("puts more bytes than a run holds");
  }
  return recipe;
}

std::size_t OpenLayers::streams() const {
  return static_cast<std::size_t>(std::ranges::count_if(layers_, is_stream));
}

void OpenLayers::follow(const RecipeStep& step) {
  if (step.what == RecipeStep::What::open) {
    const bool fits = layers_.empty() || layers_.back() != Layer::rows;
    if (!fits || layers_.size() == highest || (is_stream(step.layer) && streams() == most_streams))
      refuse("opens a layer where there can be none");
    layers_.push_back(step.layer);
  } else if (step.what == RecipeStep::What::close || step.what == RecipeStep::What::stop) {
    if (layers_.empty() || (step.what == RecipeStep::What::stop && !is_stream(layers_.back())))
      refuse("ends a layer that is not open");
    layers_.pop_back();
  }
}

}  // namespace logpx::archive
