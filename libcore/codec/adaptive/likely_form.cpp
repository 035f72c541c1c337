#include "libcore/codec/adaptive/likely_form.hpp"

#include "libcore/codec/adaptive/form_trial.hpp"
#include "libcore/codec/adaptive/likely_code.hpp"
#include "libcore/codec/adaptive/likely_samples.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace logpx::codec::adaptive {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t least_sample = 1 << 10, row_sample = 1 << 16, some_rows = 1 << 14;
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

// Where parts of a sample begin in which something changes, or of all where nothing does: at most
// so many, evenly spread.
constexpr std::size_t lively_part = 256;
std::vector<std::size_t> lively_parts(Bytes sample, std::size_t begin, std::size_t most) {
  std::vector<std::size_t> all, lively;
  for (std::size_t at = begin; at + lively_part <= sample.size(); at += lively_part) {
    std::size_t changes = 0;
    for (std::size_t i = 1; i < lively_part; ++i) changes += sample[at + i] != sample[at + i - 1];
    all.push_back(at);
    if (changes >= lively_part / 16) lively.push_back(at);
  }
  const std::vector<std::size_t>& found = lively.empty() ? all : lively;
  std::vector<std::size_t> parts(std::min(most, found.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = found[i * found.size() / parts.size()];
  return parts;
}

// How alike bytes are at each distance, up to 4096 and an eighth of the sample; of distance 0
// nothing.
std::vector<std::uint32_t> alike_at_distances(Bytes sample) {
  const auto longest =
      static_cast<std::uint32_t>(std::min<std::size_t>(longest_row, sample.size() / 8));
  if (longest < 4) return {};
  const std::size_t count = std::clamp<std::size_t>(sample.size() / 8, 1 << 10, 1 << 13);
  const std::vector<std::size_t> parts = lively_parts(sample, longest, count / lively_part);
  std::vector<std::uint32_t> alike(longest + 1);
  for (std::uint32_t d = 1; d <= longest; ++d)
    for (const std::size_t at : parts) alike[d] += likeness(sample.subspan(at - d), d, lively_part);
  return alike;
}

std::vector<std::uint32_t> rows_at_peaks(std::span<const std::uint32_t> alike, std::size_t most) {
  struct Peak {
    std::int64_t height;
    std::uint32_t distance;
  };
  std::vector<Peak> peaks;
  std::int64_t highest = 0;
  for (std::uint32_t d = 2; d + 1 < alike.size(); ++d) {
    if (alike[d] <= alike[d - 1] || alike[d] <= alike[d + 1]) continue;
    const std::int64_t beside = (std::int64_t{alike[d - 1]} + alike[d + 1]) / 2;
    peaks.push_back({10 * std::int64_t{alike[d]} - 9 * beside, d});
    highest = std::max(highest, peaks.back().height);
  }
  // Bytes are as alike at twice the row's length: of peaks of nearly equal height the shorter wins.
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

// The row of pixels or numbers of so many bytes each, if one stands out: at its length bytes are
// more alike than at one or two fewer or more, by twice as much as at any other but its multiples.
std::optional<std::uint32_t> clear_row(std::uint32_t unit, std::span<const std::uint32_t> alike) {
  constexpr std::uint32_t least_units = 8;
  std::vector<std::uint32_t> heights(alike.size());
  for (std::size_t d = least_units * unit; d + 2 * unit < alike.size(); d += unit) {
    const std::uint32_t beside =
        std::max({alike[d - 2 * unit], alike[d - unit], alike[d + unit], alike[d + 2 * unit]});
    heights[d] = alike[d] > beside ? alike[d] - beside : 0;
  }
  const auto highest = std::ranges::max_element(heights);
  if (highest == heights.end() || *highest == 0) return std::nullopt;
  const auto row = static_cast<std::size_t>(highest - heights.begin());
  for (std::size_t d = 0; d < heights.size(); ++d)
    if (d % row != 0 && 2 * heights[d] > *highest) return std::nullopt;
  return static_cast<std::uint32_t>(row);
}

// A part from the middle, since beginnings are often headers.
Bytes part_of(Bytes data, std::size_t size) {
  return data.size() <= size ? data : data.subspan((data.size() - size) / 3, size);
}

// Words and spaces: no form but text is worth trying.
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

// Nearly all characters are those of SMILES, and many are carbon.
bool may_be_molecules(Bytes sample) {
  constexpr std::string_view usual = "BCFHINOPSbclnopsr0123456789()[]=#@+-/\\%.\n";
  std::size_t known = 0, carbons = 0;
  for (const std::uint8_t byte : sample) {
    known += usual.find(static_cast<char>(byte)) != usual.npos;
    carbons += byte == 'C' || byte == 'c';
  }
  return 10 * known >= 9 * sample.size() && 8 * carbons >= sample.size();
}

// Bases, with little between them.
bool may_be_dna(Bytes sample) {
  constexpr std::string_view bases = "ACGTacgt";
  const auto count = std::ranges::count_if(
      sample, [&](std::uint8_t byte) { return bases.find(static_cast<char>(byte)) != bases.npos; });
  return 8 * static_cast<std::size_t>(count) >= 7 * sample.size();
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

// Pictures of black and white, eight pixels a byte: a quarter of the bytes are all of one colour.
bool may_be_bits(Bytes sample) {
  const auto count =
      std::ranges::count_if(sample, [](std::uint8_t byte) { return byte == 0 || byte == 255; });
  return 4 * static_cast<std::size_t>(count) >= sample.size();
}

void add_rasters(std::vector<Form>& forms, Bytes sample, const std::vector<std::uint32_t>& rows,
                 std::size_t most_rows) {
  const bool bits = may_be_bits(sample);
  std::size_t seen = 0;
  for (const std::uint32_t row : rows) {
    if (seen == most_rows) break;
    forms.push_back({Kind::records, row, 0});
    // In photographs two or three pixels are found before the row.
    if (row < 16 && row > rows.front() && row % rows.front() == 0) continue;
    ++seen;
    if (row < 16) continue;
    forms.push_back({Kind::grey, row, 0});
    if (row % 3 == 0 && row >= 48) forms.push_back({Kind::rgb, row, 0});
    if (bits) forms.push_back({Kind::bits, row, 0});
    for (const std::uint32_t plane : rows)
      if (plane % row == 0 && plane >= 8 * row) {
        forms.push_back({Kind::planar, row, plane});
        break;
      }
  }
}

// Samples in time, and in rows.
void add_samples(std::vector<Form>& forms, Bytes sample, std::size_t begin,
                 std::span<const std::uint32_t> alike) {
  for (const SampleForm& samples : likely_samples(sample, begin, 3)) {
    forms.push_back({Kind::samples, 0, 0, samples});
    if (const auto row = clear_row(samples.frame(), alike))
      forms.push_back({Kind::samples, *row, 0, samples});
  }
}

void add_usual_records(std::vector<Form>& forms) {
  for (const std::uint32_t row : {0, 2, 4, 8}) forms.push_back({Kind::records, row, 0});
}

// What nothing is known of: every form that its first looks allow.
std::vector<Form> possible_forms(Bytes data) {
  const Bytes sample = part_of(data, row_sample);
  std::vector<Form> forms;
  if (may_be_molecules(sample)) {
    forms.push_back({Kind::molecules});
  } else if (may_be_dna(sample)) {
    forms.push_back({Kind::dna});
  } else {
    if (is_prose(sample)) return {{}};
    if (is_cifar(data)) forms.push_back({Kind::planar, 32, 1024});
    add_usual_records(forms);
    const auto begin = static_cast<std::size_t>(sample.data() - data.data());
    if (may_be_x86(sample)) forms.push_back({Kind::x86_code});
    forms.push_back({Kind::arm_code});  // whose contexts suit other words of four bytes as well
    const std::vector<std::uint32_t> alike = alike_at_distances(sample);
    const std::vector<std::uint32_t> rows = rows_at_peaks(alike, 6);
    add_rasters(forms, sample, rows, data.size() < some_rows ? 1 : 3);
    if (!rows.empty() && rows.front() < 16)
      if (const auto row = clear_row(rows.front(), alike)) add_rasters(forms, sample, {*row}, 1);
    add_samples(forms, sample, begin, alike);
  }
  forms.push_back({});
  return forms;
}

}  // namespace

bool looks_drawn(Bytes data, std::size_t pixel) {
  std::size_t equal = 0, all = 0;
  for (std::size_t at = pixel; at + pixel <= data.size(); at += pixel, ++all)
    equal += std::ranges::equal(data.subspan(at, pixel), data.subspan(at - pixel, pixel));
  return all > 0 && 4 * equal >= all;
}

std::vector<std::uint32_t> likely_rows(Bytes sample, std::size_t most) {
  return rows_at_peaks(alike_at_distances(sample), most);
}

std::vector<Form> likely_forms(Bytes data, std::span<const Form> known,
                               std::span<const Form> joined) {
  const bool is_known = !known.empty() && fits(known.front(), data.size());
  if (is_known && (known.size() == 1 || data.size() < least_sample)) return {known.front()};
  if (data.size() < least_sample) return {joined.empty() ? Form{} : joined.front()};
  std::vector<Form> forms(known.begin(), known.end());
  if (known.empty()) {
    forms = possible_forms(data);
  } else {
    add_usual_records(forms);
    forms.push_back({});
  }
  if (forms.size() > 1) forms.insert(forms.end(), joined.begin(), joined.end());
  std::vector<TriedForm> best = best_forms(forms, data);
  if (best.empty()) return {{}};
  // What joins others learns from them; but not in rows that these happen to have, too, unless they
  // are of that kind as well.
  constexpr std::uint32_t most_common_row = 8;
  const TriedForm& first = best.front();
  const auto joins = std::ranges::find_if(best, [&](const TriedForm& c) {
    const double enough = c.form.row <= most_common_row    ? 1.02
                          : c.form.kind == first.form.kind ? 1.05
                                                           : 1;
    return c.bytes <= first.bytes * enough && std::ranges::find(joined, c.form) != joined.end();
  });
  if (joins != best.end()) std::rotate(best.begin(), joins, joins + 1);
  std::vector<Form> found;
  for (const TriedForm& c : best) found.push_back(c.form);
  return found;
}

}  // namespace logpx::codec::adaptive
