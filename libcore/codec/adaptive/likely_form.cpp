#include "libcore/codec/adaptive/likely_form.hpp"

#include "libcore/codec/adaptive/adaptive.hpp"

#include <algorithm>
#include <utility>

namespace logpx::codec::adaptive {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t row_sample = 1 << 16, trial_sample = 1 << 14, least_sample = 1 << 10;
constexpr std::uint32_t longest_row = 4096;

// How alike two bytes are, 0 to 4: images differ by a little, records by nothing or a lot.
std::uint32_t likeness(std::span<const std::uint8_t> bytes, std::size_t distance,
                       std::size_t count) {
  std::uint32_t sum = 0;
  const std::uint8_t *a = bytes.data() + distance, *b = bytes.data();
  for (std::size_t i = 0; i < count; ++i) {
    const int difference = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    sum += static_cast<std::uint32_t>(2 * (difference == 0) + (difference < 4) + (difference < 12));
  }
  return sum;
}

// A part from within, which begins where a row does: beginnings are often headers.
Bytes part_of(Bytes data, std::size_t size, std::size_t row = 1) {
  if (data.size() <= size) return data;
  return data.subspan((data.size() - size) / 3 / row * row, size);
}

// Words and spaces: nothing else could be worth looking at.
bool is_prose(Bytes sample) {
  std::size_t letters = 0, others = 0;
  for (const std::uint8_t byte : sample) {
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == ' ';
    letters += letter;
    others += !letter && byte < 128 && (byte < ' ' || byte == 127) && byte != '\n' &&
              byte != '\r' && byte != '\t';
  }
  return others == 0 && 4 * letters >= 3 * sample.size();
}

// Records of CIFAR: one or two bytes of labels, then three planes of 32 x 32.
bool is_cifar(Bytes data) {
  constexpr std::size_t pixels = 3 * 1024;
  for (const std::size_t labels : {1, 2}) {
    const std::size_t record = labels + pixels;
    if (data.size() < 4 * record) continue;
    bool all = true;
    for (std::size_t at = 0; at + record <= data.size() && all; at += record)
      all = data[at] < (labels == 1 ? 10 : 20) && (labels == 1 || data[at + 1] < 100);
    if (all) return true;
  }
  return false;
}

void add_rasters(std::vector<Form>& forms, const std::vector<std::uint32_t>& rows) {
  constexpr std::size_t most_rows = 3;
  for (std::size_t i = 0; i < rows.size() && i < most_rows; ++i) {
    const std::uint32_t row = rows[i];
    forms.push_back({Kind::records, row, 0});
    if (row < 16) continue;
    forms.push_back({Kind::grey, row, 0});
    if (row % 3 == 0 && row >= 48) forms.push_back({Kind::rgb, row, 0});
    forms.push_back({Kind::bits, row, 0});
    for (const std::uint32_t plane : rows)
      if (plane % row == 0 && plane >= 8 * row) {
        forms.push_back({Kind::planar, row, plane});
        break;
      }
  }
}

}  // namespace

std::vector<std::uint32_t> likely_rows(Bytes sample, std::size_t most) {
  const auto longest =
      static_cast<std::uint32_t>(std::min<std::size_t>(longest_row, sample.size() / 3));
  if (longest < 4) return {};
  const std::size_t count = std::min<std::size_t>(sample.size() - longest, 1 << 13);
  std::vector<std::uint32_t> alike(longest + 1);
  for (std::uint32_t d = 1; d <= longest; ++d) alike[d] = likeness(sample, d, count);
  struct Peak {
    std::int64_t height;
    std::uint32_t distance;
  };
  std::vector<Peak> peaks;
  std::int64_t highest = 0;
  for (std::uint32_t d = 2; d < longest; ++d) {
    if (alike[d] <= alike[d - 1] || alike[d] <= alike[d + 1]) continue;
    const std::int64_t beside = (std::int64_t{alike[d - 1]} + alike[d + 1]) / 2;
    peaks.push_back({10 * std::int64_t{alike[d]} - 9 * beside, d});
    highest = std::max(highest, peaks.back().height);
  }
  // Bytes are as alike at twice the length of a row: of what is nearly as high the shorter counts.
  const auto order = [&](const Peak& peak) {
    return std::pair(-(16 * peak.height + highest / 2) / std::max<std::int64_t>(1, highest),
                     peak.distance);
  };
  std::ranges::sort(peaks, {}, order);
  std::vector<std::uint32_t> rows;
  for (const Peak& peak : peaks)
    if (rows.size() < most) rows.push_back(peak.distance);
  return rows;
}

Form likely_form(Bytes data, std::span<const Form> known) {
  if (data.size() < least_sample)
    return known.empty() || !fits(known.front(), data.size()) ? Form{} : known.front();
  std::vector<Form> forms(known.begin(), known.end());
  if (forms.empty()) {
    const Bytes sample = part_of(data, row_sample);
    if (is_prose(sample)) return {};
    if (is_cifar(data)) return {Kind::planar, 32, 1024};
    forms.push_back({Kind::records, 0, 0});
    add_rasters(forms, likely_rows(sample, 6));
  }
  forms.push_back({});
  const std::size_t row = known.empty() ? 1 : std::max<std::size_t>(1, known.front().row);
  const std::size_t size = std::min(trial_sample, std::max(least_sample, data.size() / 4));
  const Bytes trial = part_of(data, std::max(size, 8 * row), row);
  Form best;
  std::size_t least = no_limit;
  for (const Form& form : forms) {
    Form tried = form;
    if (form.kind == Kind::grey && form.plane > trial.size()) tried.plane = 0;
    if (!fits(form, data.size()) || !fits(tried, trial.size())) continue;
    const std::size_t bytes = encode(trial, tried, Level::normal, least).size();
    if (bytes < least) {
      best = form;
      least = bytes;
    }
  }
  return best;
}

}  // namespace logpx::codec::adaptive
