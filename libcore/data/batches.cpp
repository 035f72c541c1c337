#include "libcore/data/batches.hpp"

#include "libcore/base/error.hpp"
#include "libcore/data/dequantise.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace logpx {
namespace {

// [H, W, C] as stored to [C, H, W]; whatever is no image stays as it is.
void to_channels_first(const DatasetInfo& info, std::span<const float> stored,
                       std::span<float> out) {
  const auto channels =
      info.content == Content::image ? static_cast<std::size_t>(info.shape.back()) : std::size_t{1};
  const std::size_t pixels = stored.size() / channels;
  for (std::size_t p = 0; p < pixels; ++p)
    for (std::size_t c = 0; c < channels; ++c) out[c * pixels + p] = stored[p * channels + c];
}

}  // namespace

Batches::Batches(RowSource& source, const BatchSettings& settings, std::uint64_t seed)
    : source_(source), settings_(settings), rng_(seed) {
  const DatasetInfo& info = source.info();
  LOGPX_ASSERT(0 <= settings.begin && settings.begin <= settings.end && settings.end <= info.n);
  LOGPX_ASSERT(settings.size >= 1);
  LOGPX_ASSERT(settings.end - settings.begin <= std::numeric_limits<std::uint32_t>::max());
  const bool grey = info.content == Content::image && info.levels == 256;
  if (settings.binarise.rule != Binarise::none && !grey)
    fail(ErrorKind::usage, "--binarise", "needs pictures of 256 levels",
         "--binarise none takes the data as they are");
  const bool continuous = info.element == Element::f32 || info.has_missing;
  if (settings.dequantise == Dequantise::uniform && continuous)
    fail(ErrorKind::usage, "--dequantise", "needs discrete data without missing values");
}

std::int64_t Batches::per_epoch() const {
  return (settings_.end - settings_.begin + settings_.size - 1) / settings_.size;
}

std::vector<std::int64_t> Batches::epoch_order(std::uint32_t epoch) const {
  const auto n = static_cast<std::uint32_t>(settings_.end - settings_.begin);
  const std::vector<std::uint32_t> order = permutation(n, rng_.stream(Stream::shuffle, epoch));
  std::vector<std::int64_t> rows(n);
  std::transform(order.begin(), order.end(), rows.begin(),
                 [this](std::uint32_t place) { return settings_.begin + place; });
  return rows;
}

Batch Batches::training(std::uint32_t epoch, std::int64_t index) {
  LOGPX_ASSERT(0 <= index && index < per_epoch());
  if (epoch_ != epoch) {
    order_ = epoch_order(epoch);
    epoch_ = epoch;
  }
  const std::int64_t first = index * settings_.size;
  const std::int64_t last = std::min<std::int64_t>(first + settings_.size, std::ssize(order_));
  const bool fixed = settings_.binarise.rule == Binarise::fixed;
  return gather({order_.begin() + first, order_.begin() + last},
                {.bits = fixed ? evaluation_bits() : training_bits(rng_, epoch),
                 .dequantisation = training_dequantisation(rng_, epoch)});
}

Batch Batches::evaluation(std::int64_t index) {
  LOGPX_ASSERT(0 <= index && index < per_epoch());
  const std::int64_t first = settings_.begin + index * settings_.size;
  std::vector<std::int64_t> rows(
      static_cast<std::size_t>(std::min(settings_.size, settings_.end - first)));
  std::iota(rows.begin(), rows.end(), first);
  return gather(std::move(rows),
                {.bits = evaluation_bits(), .dequantisation = evaluation_dequantisation()});
}

// Reads ascending, neighbours in one go, and puts every row where the batch wants it.
Batch Batches::gather(std::vector<std::int64_t> rows, const Noise& noise) {
  const DatasetInfo& info = source_.info();
  std::vector<std::size_t> slots(rows.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  std::sort(slots.begin(), slots.end(),
            [&rows](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });

  Batch batch{.rows = std::move(rows), .x = {}, .y = {}, .length = {}, .true_logp = {}};
  const std::size_t count = batch.rows.size();
  batch.x.resize(count * static_cast<std::size_t>(info.dims()));
  if (info.has_labels) batch.y.resize(count);
  if (info.has_lengths) batch.length.resize(count);
  if (info.has_true_logp) batch.true_logp.resize(count);
  for (std::size_t begin = 0; begin < count;) {
    const std::int64_t first = batch.rows[slots[begin]];
    std::size_t end = begin + 1;
    while (end < count && batch.rows[slots[end]] == first + static_cast<std::int64_t>(end - begin))
      ++end;
    const Rows read = source_.read(first, first + static_cast<std::int64_t>(end - begin));
    for (std::size_t k = begin; k < end; ++k)
      take(read, static_cast<std::int64_t>(k - begin), slots[k], batch, noise);
    begin = end;
  }
  return batch;
}

void Batches::take(const Rows& read, std::int64_t from, std::size_t slot, Batch& batch,
                   const Noise& noise) const {
  const DatasetInfo& info = source_.info();
  const auto dims = static_cast<std::size_t>(info.dims()), k = static_cast<std::size_t>(from);
  const std::uint64_t element = static_cast<std::uint64_t>(batch.rows[slot]) * dims;
  std::vector<float> x;
  if (settings_.binarise.rule == Binarise::none) {
    x = values_of(read, k);
  } else {
    const auto stored = read.values<std::uint8_t>().subspan(k * dims, dims);
    std::vector<std::uint8_t> bits(stored.begin(), stored.end());
    if (settings_.binarise.rule == Binarise::threshold)
      binarise_by_threshold(bits, settings_.binarise.threshold);
    else binarise_by_draw(bits, element, noise.bits);
    x.assign(bits.begin(), bits.end());
  }
  if (settings_.dequantise == Dequantise::uniform) dequantise(x, element, noise.dequantisation);
  to_channels_first(info, x, std::span(batch.x).subspan(slot * dims, dims));
  if (info.has_labels) batch.y[slot] = read.y[k];
  if (info.has_lengths) batch.length[slot] = read.length[k];
  if (info.has_true_logp) batch.true_logp[slot] = read.true_logp[k];
}

std::vector<float> Batches::values_of(const Rows& read, std::size_t from) const {
  const auto dims = static_cast<std::size_t>(source_.info().dims());
  const auto row = [&]<typename T>(T) {
    const std::span<const T> all = read.values<T>().subspan(from * dims, dims);
    return std::vector<float>(all.begin(), all.end());
  };
  switch (source_.info().element) {
    case Element::u8: return row(std::uint8_t{});
    case Element::u16: return row(std::uint16_t{});
    case Element::i16: return row(std::int16_t{});
    case Element::f32: break;
  }
  return row(float{});
}

}  // namespace logpx
