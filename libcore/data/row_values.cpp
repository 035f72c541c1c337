#include "libcore/data/row_values.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace logpx {

Substream training_dequantisation(Rng rng, std::uint32_t epoch) {
  return rng.stream(Stream::dequantise, epoch);
}
Substream evaluation_dequantisation() { return {1, Stream::dequantise, 0xffffffff}; }

float dequantised_value(float level, double u) {
  const auto moved = static_cast<float>(double{level} + u);
  return std::min(moved, std::nextafter(level + 1, level));
}

void dequantise(std::span<float> x, std::uint64_t first_element, Substream noise) {
  Words4 words{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t element = first_element + i;
    if (i == 0 || element % 4 == 0) words = noise.block(element / 4);
    x[i] = dequantised_value(x[i], uniform_of(words[element % 4]));
  }
}

namespace {

// Uniforms of elements in their order; four come from one block, which takes most of the time.
class Uniforms {
 public:
  explicit Uniforms(Substream stream) : stream_(stream) {}
  double at(std::uint64_t element) {
    if (element / 4 != block_) {
      block_ = element / 4;
      words_ = stream_.block(block_);
    }
    return uniform_of(words_[element % 4]);
  }

 private:
  Substream stream_;
  std::uint64_t block_ = ~std::uint64_t{0};
  Words4 words_{};
};

void require_unit(const DatasetInfo& info, std::span<const float> stored, std::uint64_t element) {
  const auto bad = std::ranges::find_if(stored, [](float v) { return !(v >= 0 && v <= 1); });
  if (bad == stored.end()) return;
  const std::uint64_t place = element + static_cast<std::uint64_t>(bad - stored.begin()),
                      dims = stored.size();
  fail(ErrorKind::data, info.name,
       "row " + std::to_string(place / dims) + ", dimension " + std::to_string(place % dims) +
           " is " + to_text(static_cast<double>(*bad)) + "; --binarise takes values in [0, 1]");
}

template <typename T>
void values_of(const DatasetInfo& info, std::span<const T> stored, std::uint64_t element,
               const RowRules& rules, const RowNoise& noise, std::span<float> out) {
  const ChannelsFirst place(info);
  const double whole = info.element == Element::f32 ? 1 : 255;
  switch (rules.binarise.rule) {
    case Binarise::threshold: {
      const auto least = rules.binarise.threshold * whole / 255;
      for (std::size_t i = 0; i < stored.size(); ++i)
        out[place(i)] = static_cast<double>(stored[i]) >= least ? 1.0F : 0.0F;
      return;
    }
    case Binarise::fixed:
    case Binarise::dynamic: {
      if constexpr (std::is_same_v<T, float>) require_unit(info, stored, element);
      Uniforms uniforms(noise.bits);
      for (std::size_t i = 0; i < stored.size(); ++i) {
        const double p = static_cast<double>(stored[i]) / whole;
        const bool one = p >= 1 || (p > 0 && uniforms.at(element + i) < p);  // 0 < u < 1
        out[place(i)] = one ? 1.0F : 0.0F;
      }
      return;
    }
    case Binarise::none: break;
  }
  const bool dequantised = rules.dequantise == Dequantise::uniform;
  const bool unit = rules.scale == ValueScale::unit && info.levels > 1;
  const float factor = unit ? 1 / static_cast<float>(info.levels - (dequantised ? 0 : 1)) : 1.0F;
  if (!dequantised) {
    for (std::size_t i = 0; i < stored.size(); ++i)
      out[place(i)] = static_cast<float>(stored[i]) * factor;
    for (std::size_t i = 0; i < rules.columns.mean.size(); ++i)
      out[place(i)] = static_cast<float>((static_cast<double>(stored[i]) - rules.columns.mean[i]) /
                                         rules.columns.deviation[i]);
    return;
  }
  Uniforms uniforms(noise.dequantisation);
  for (std::size_t i = 0; i < stored.size(); ++i)
    out[place(i)] =
        dequantised_value(static_cast<float>(stored[i]), uniforms.at(element + i)) * factor;
}

// Calls use(T{}) with the type of the stored elements.
template <typename Use>
void with_element(Element element, Use use) {
  switch (element) {
    case Element::u8: return use(std::uint8_t{});
    case Element::u16: return use(std::uint16_t{});
    case Element::i16: return use(std::int16_t{});
    case Element::f32: return use(float{});
  }
}

}  // namespace

RowNoise training_noise(const RowRules& rules, Rng rng, std::uint32_t epoch) {
  const bool fixed = rules.binarise.rule == Binarise::fixed;
  return {.bits = fixed ? evaluation_noise(rules).bits : training_bits(rng, epoch),
          .dequantisation = training_dequantisation(rng, epoch)};
}

RowNoise evaluation_noise(const RowRules& rules) {
  return {.bits = evaluation_bits(rules.static_seed),
          .dequantisation = evaluation_dequantisation()};
}

bool holds_grey(const DatasetInfo& info) {
  if (info.element != Element::f32) return info.content == Content::image && info.levels == 256;
  return info.value_min >= 0 && info.value_min < info.value_max && info.value_max <= 1;
}

void check_rules(const DatasetInfo& info, const RowRules& rules) {
  if (rules.binarise.rule != Binarise::none && !holds_grey(info))
    fail(ErrorKind::usage, "--binarise", "needs pictures of 256 levels or real values in [0, 1]",
         "--binarise none takes the data as they are");
  const bool continuous = info.element == Element::f32 || info.has_missing;
  if (rules.dequantise == Dequantise::uniform && continuous)
    fail(ErrorKind::usage, "--dequantise", "needs discrete data without missing values");
  const bool rgb = info.content == Content::image && info.shape.back() == 3 && info.levels == 256 &&
                   info.element == Element::u8;
  if (rules.transform != Transform::none && !rgb)
    fail(ErrorKind::usage, "--transform", "needs pictures of three channels with 256 levels",
         "--transform none takes the data as they are");
}

void row_values(const DatasetInfo& info, const Rows& rows, RowAt at, const RowRules& rules,
                const RowNoise& noise, std::span<float> out) {
  const auto dims = static_cast<std::size_t>(info.dims());
  LOGPX_ASSERT(out.size() == dims);
  with_element(info.element, [&]<typename T>(T) {
    const auto stored = rows.values<T>().subspan(static_cast<std::size_t>(at.from) * dims, dims);
    values_of<T>(info, stored, static_cast<std::uint64_t>(at.number) * dims, rules, noise, out);
  });
  if (rules.transform != Transform::none && !planes_to_ycocg(out, rules.transform))
    fail(ErrorKind::data, info.name,
         "row " + std::to_string(at.number) +
             " has a pixel that lacks some of its three values, and colours are read whole");
}

std::vector<float> stored_order(const DatasetInfo& info, const RowRules& rules,
                                std::span<const float> values) {
  const ChannelsFirst place(info);
  LOGPX_ASSERT(std::ssize(values) == info.dims());
  const bool unit = rules.scale == ValueScale::unit && info.levels > 1;
  const float factor = unit ? static_cast<float>(info.levels - 1) : 1.0F;
  std::vector<float> made(values.begin(), values.end()), stored(values.size());
  if (rules.transform != Transform::none) planes_to_rgb(std::span(made), rules.transform);
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = made[place(i)] * factor;
  for (std::size_t i = 0; i < rules.columns.mean.size(); ++i)
    stored[i] = static_cast<float>(rules.columns.mean[i] +
                                   rules.columns.deviation[i] * static_cast<double>(stored[i]));
  return stored;
}

std::vector<float> stored_values(const DatasetInfo& info, const Rows& rows) {
  std::vector<float> all, row(static_cast<std::size_t>(info.dims()));
  const RowRules as_stored;
  for (std::int64_t i = 0; i < rows.count; ++i) {
    row_values(info, rows, {.from = i, .number = i}, as_stored, evaluation_noise(as_stored), row);
    const std::vector<float> stored = stored_order(info, as_stored, row);
    all.insert(all.end(), stored.begin(), stored.end());
  }
  return all;
}

void store_values(const DatasetInfo& info, const RowRules& rules, std::span<const float> values,
                  std::int64_t to, Rows& rows) {
  const std::vector<float> made = stored_order(info, rules, values);
  with_element(info.element, [&]<typename T>(T) {
    const auto stored =
        rows.values<T>().subspan(static_cast<std::size_t>(to) * made.size(), made.size());
    const double top = info.levels > 0 ? static_cast<double>(info.levels - 1)
                                       : static_cast<double>(std::numeric_limits<T>::max());
    for (std::size_t i = 0; i < made.size(); ++i) {
      if constexpr (std::is_same_v<T, float>) {
        stored[i] = made[i];
      } else {
        if (std::isnan(made[i]))
          fail(ErrorKind::numeric, info.name,
               "row " + std::to_string(to) + ", value " + std::to_string(i) +
                   " is not a number, and no level can stand for it");
        stored[i] = static_cast<T>(std::clamp(std::round(static_cast<double>(made[i])), 0.0, top));
      }
    }
  });
}

}  // namespace logpx
