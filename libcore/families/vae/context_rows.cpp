#include "libcore/families/vae/context_rows.hpp"

#include "libcore/data/row_store.hpp"

#include <algorithm>

namespace logpx::vae {
namespace {

constexpr std::int64_t grain = 32;  // of extents, so that graphs have few sizes

void read(const DatasetInfo& info, const RowPlace& place, std::span<float> x) {
  const RowRules as_stored;
  row_values(info, place.rows, {.from = place.from, .number = place.from}, as_stored,
             evaluation_noise(as_stored), x);
}

}  // namespace

ContextRows::ContextRows(const VaeModel& model, const TaskRows& rows)
    : rows_(rows), choice_(model.context()->table(), model.config().context_share) {
  std::vector<float> x(at(model.dims()));
  rows.visit([&](const Examples& part) {
    for (std::int64_t row = 0; row < part.rows.count; ++row) {
      read(part.info, {part.rows, row}, x);
      const std::int64_t rounded = (choice_.most(x) + grain - 1) / grain * grain;
      extents_.push_back(static_cast<std::int32_t>(rounded));
    }
  });
}

void ContextRows::bind(const Shard& shard, GraphInputs& inputs) const {
  const auto extent = at(shard.extent);
  const std::span<std::int32_t> dims = inputs.indices("dims");
  const std::span<float> weights = inputs.values("weights"), x = inputs.values("x");
  const std::size_t width = x.size() / at(shard.count);
  const Substream draws =
      Rng(shard.place.seed).stream(Stream::subsets, static_cast<std::uint32_t>(shard.place.step));
  std::vector<float> stored(width);
  for (std::size_t i = 0; i < shard.rows.size(); ++i) {
    read(rows_.info, rows_.at(shard.rows[i]), stored);
    choice_.choose(stored, draws.uniform(static_cast<std::uint64_t>(shard.places[i])),
                   dims.subspan(i * extent, extent), weights.subspan(i * extent, extent));
  }
  if (!inputs.holds("taken_index")) return;
  const std::span<std::int32_t> index = inputs.indices("taken_index");
  for (std::size_t i = 0; i < index.size(); ++i) {
    const std::size_t place = i % dims.size();
    index[i] = static_cast<std::int32_t>(x[place / extent * width + at(dims[place])]);
  }
}

}  // namespace logpx::vae
