#include "libcore/codec/adaptive/likely_form.hpp"

#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/likely_samples.hpp"

#include <algorithm>
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

void add_rasters(std::vector<Form>& forms, const std::vector<std::uint32_t>& rows,
                 std::size_t most_rows) {
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
    forms.push_back({Kind::bits, row, 0});
    for (const std::uint32_t plane : rows)
      if (plane % row == 0 && plane >= 8 * row) {
        forms.push_back({Kind::planar, row, plane});
        break;
      }
  }
}

// Samples in time, and in the rows that records are tried with.
void add_samples(std::vector<Form>& forms, Bytes sample, std::size_t begin) {
  for (const SampleForm& samples : likely_samples(sample, begin, 2)) {
    forms.push_back({Kind::samples, 0, 0, samples});
    const std::uint32_t frame = samples.frame();
    for (const Form& rows : std::vector<Form>(forms))
      if (rows.kind == Kind::records && rows.row >= 8 * frame && rows.row % frame == 0) {
        forms.push_back({Kind::samples, rows.row, 0, samples});
        break;
      }
  }
}

struct Candidate {
  Form form;
  std::size_t bytes = 0;  // that it took for the parts tried so far
};

// Codes `size` bytes from `begin` on in each way, and keeps those that may still be the best: at
// most `most`, and none that has taken an eighth more than another.
void try_all(std::vector<Candidate>& candidates, Bytes data, std::size_t begin, std::size_t size,
             std::size_t most) {
  constexpr std::size_t small = 16;  // a difference in bytes that decides nothing
  std::size_t least = no_limit;
  for (Candidate& candidate : candidates) {
    const std::size_t limit = least == no_limit ? no_limit : least + least / 8 + small;
    if (candidate.bytes < limit)
      candidate.bytes += bytes_of_part(data.first(begin + size), begin, candidate.form,
                                       limit == no_limit ? limit : limit - candidate.bytes);
    least = std::min(least, candidate.bytes);
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::bytes);
  std::erase_if(candidates,
                [&](const Candidate& c) { return c.bytes > least + least / 8 + small; });
  if (candidates.size() > most) candidates.resize(most);
}

// Some kinds are learned slowly: a short part takes so many eighths more than the same length later
// on.
std::size_t eighths_too_many(Kind kind) {
  return kind == Kind::bits ? 2 : kind == Kind::molecules ? 1 : 0;
}

// The form that codes a short part best or, of several close ones, a longer part elsewhere. Parts
// begin at multiples of `unit` bytes.
Form best_of(std::span<const Form> forms, Bytes data, std::size_t unit) {
  constexpr std::size_t shortest = 512, finalists = 3;
  // Two forms may learn at different speeds; longer parts tell them apart.
  const std::size_t longest = forms.size() > 2 ? 1 << 12 : 1 << 14;
  const std::size_t size = std::clamp(data.size() / 64, shortest, longest);
  std::vector<Candidate> left;
  for (const Form& form : forms)
    if (fits(form, data.size())) left.push_back({form});
  const auto place = [&](std::size_t third, std::size_t length) {
    return (data.size() - length) / 3 * third / unit * unit;
  };
  try_all(left, data, place(1, size), size, finalists);
  if (left.size() > 1) {
    for (Candidate& c : left) c.bytes -= c.bytes / 8 * eighths_too_many(c.form.kind);
    const std::size_t longer = std::min(4 * size, data.size());
    try_all(left, data, place(2, longer), longer, 1);
  }
  return left.empty() ? Form{} : left.front().form;
}

}  // namespace

std::vector<std::uint32_t> likely_rows(Bytes sample, std::size_t most) {
  const auto longest =
      static_cast<std::uint32_t>(std::min<std::size_t>(longest_row, sample.size() / 8));
  if (longest < 4) return {};
  const std::size_t count = std::min(sample.size() - longest,
                                     std::clamp<std::size_t>(sample.size() / 8, 1 << 10, 1 << 13));
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

Form likely_form(Bytes data, std::span<const Form> known) {
  const bool is_known = !known.empty() && fits(known.front(), data.size());
  if (is_known && (known.size() == 1 || data.size() < least_sample)) return known.front();
  if (data.size() < least_sample) return {};
  std::vector<Form> forms(known.begin(), known.end());
  std::size_t unit = 12;  // of whole pixels and frames
  if (known.empty()) {
    const Bytes sample = part_of(data, row_sample);
    if (may_be_molecules(sample)) {
      forms.push_back({Kind::molecules});
    } else {
      if (is_prose(sample)) return {};
      if (is_cifar(data)) return {Kind::planar, 32, 1024};
      forms.push_back({Kind::records, 0, 0});
      add_rasters(forms, likely_rows(sample, 6), data.size() < some_rows ? 1 : 3);
      add_samples(forms, sample, static_cast<std::size_t>(sample.data() - data.data()));
    }
  } else {
    unit = std::max<std::size_t>({1, known.front().row, known.front().samples.frame()});
  }
  forms.push_back({});
  return best_of(forms, data, unit);
}

}  // namespace logpx::codec::adaptive
