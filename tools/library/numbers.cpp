#include "tools/library/numbers.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <cmath>
#include <limits>

namespace logpx {
namespace {

template <typename Act>
auto by_element(Element element, const Act& act) {
  switch (element) {
    case Element::u8: return act(std::uint8_t());
    case Element::u16: return act(std::uint16_t());
    case Element::i16: return act(std::int16_t());
    case Element::f32: break;
  }
  return act(float());
}

constexpr float missing_number = std::numeric_limits<float>::quiet_NaN();

void require_known(const ModelInfo& model, float number, std::size_t place) {
  const DatasetInfo& data = model.data;
  if (std::isnan(number) && model.missing) return;
  const bool known = data.levels == 0 ? std::isfinite(number)
                                      : number >= 0 && number < static_cast<float>(data.levels) &&
                                            number == std::floor(number);
  if (known) return;
  const auto dims = static_cast<std::size_t>(data.dims());
  fail(ErrorKind::data, "row " + std::to_string(place / dims),
       "has " + to_text(number) + ", and the model reads " +
           (data.levels == 0 ? "real numbers"
                             : "whole numbers below " + std::to_string(data.levels)));
}

DatasetInfo info_of_rows(const ModelInfo& model, std::int64_t count) {
  DatasetInfo info = model.data;
  info.n = count;
  info.splits.clear();
  info.has_labels = info.has_lengths = info.has_true_logp = info.has_source_rows = false;
  info.has_smiles = info.has_missing = false;
  info.latent_dim = 0;
  return info;
}

}  // namespace

std::vector<float> numbers_of(const DatasetInfo& info, const Rows& rows) {
  return by_element(info.element, [&](auto element) {
    const auto stored = rows.values<decltype(element)>();
    std::vector<float> numbers(stored.begin(), stored.end());
    if (info.element == Element::i16 && info.has_missing)
      for (float& number : numbers)
        if (number < 0) number = missing_number;
    return numbers;
  });
}

HeldRows rows_of(const ModelInfo& model, std::span<const float> numbers) {
  if (!model.data.column_words.empty() || model.data.content == Content::molecules)
    fail(ErrorKind::data, "rows", "hold more than numbers: words of columns, or molecules",
         "pack-data makes a dataset of them");
  const std::int64_t dims = model.data.dims();
  const auto count = std::ssize(numbers) / dims;
  if (count * dims != std::ssize(numbers))
    fail(ErrorKind::data, "rows",
         "are " + std::to_string(numbers.size()) + " numbers, and one has " + std::to_string(dims));
  HeldRows held{.info = info_of_rows(model, count), .rows = {}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    require_known(model, numbers[i], i);
    if (std::isnan(numbers[i])) held.info.has_missing = true;
  }
  if (held.info.has_missing && held.info.element == Element::u8) held.info.element = Element::i16;
  held.rows.count = count;
  held.rows.x.resize(held.info.row_bytes() * static_cast<std::size_t>(count));
  by_element(held.info.element, [&](auto element) {
    using Stored = decltype(element);
    const auto stored = held.rows.values<Stored>();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      stored[i] = std::isnan(numbers[i]) && held.info.element != Element::f32
                      ? static_cast<Stored>(-1)
                      : static_cast<Stored>(numbers[i]);
  });
  return held;
}

}  // namespace logpx
