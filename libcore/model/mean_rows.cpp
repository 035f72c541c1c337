#include "libcore/model/mean_rows.hpp"

#include "libcore/data/real_vectors.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::int64_t grey_levels = 256;

bool is_picture(const DatasetInfo& info) {
  return info.content == Content::image && info.levels > 1;
}

// Means lie between the cells; those of the numbers of words are numbers, too.
ColumnForm mean_form(const ColumnForm& form) {
  constexpr std::int64_t digits_beside_origin = 6;
  if (form.kind == ColumnKind::date) return form;
  return {.origin = form.origin,
          .step = form.step,
          .decimals = form.origin == 0 ? ColumnForm::more_digits : digits_beside_origin};
}

}  // namespace

DatasetInfo row_info(const DatasetInfo& samples) {
  DatasetInfo info;
  info.name = samples.name;
  info.content = samples.content;
  info.measure = samples.measure;
  info.element = samples.element;
  info.shape = samples.shape;
  info.levels = samples.levels;
  info.value_min = samples.value_min;
  info.value_max = samples.value_max;
  info.alphabet = samples.alphabet;
  info.tokens = samples.tokens;
  info.has_lengths = samples.has_lengths;
  info.column_names = samples.column_names;
  info.column_words = samples.column_words;
  info.column_forms = samples.column_forms;
  if (samples.content == Content::molecules) info.notes = samples.notes;
  return info;
}

DatasetInfo mean_info(const DatasetInfo& samples) {
  DatasetInfo info = real_vectors(samples.dims());
  info.name = samples.name;
  info.value_min = samples.value_min;
  info.value_max = samples.value_max;
  if (samples.is_table()) {
    info.column_names = samples.column_names;
    for (const ColumnForm& form : samples.column_forms)
      info.column_forms.push_back(mean_form(form));
  }
  if (!is_picture(samples)) return info;
  info.content = Content::image;
  info.measure = Measure::counting;
  info.element = Element::u8;
  info.shape = samples.shape;
  info.levels = grey_levels;
  info.value_max = grey_levels - 1;
  return info;
}

void append_means(const DatasetInfo& samples, std::span<const float> means, Rows& rows) {
  rows.count += std::ssize(means) / samples.dims();
  if (!is_picture(samples)) {
    const auto bytes = std::as_bytes(means);
    rows.x.insert(rows.x.end(), bytes.begin(), bytes.end());
    return;
  }
  const float factor = static_cast<float>(grey_levels - 1) / static_cast<float>(samples.levels - 1);
  for (const float mean : means) {
    const float level = std::clamp(std::round(mean * factor), 0.0F, 255.0F);
    rows.x.push_back(static_cast<std::byte>(level));
  }
}

}  // namespace logpx
