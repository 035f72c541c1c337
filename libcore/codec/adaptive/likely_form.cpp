#include "libcore/codec/adaptive/likely_form.hpp"

#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/likely_code.hpp"
#include "libcore/codec/adaptive/likely_samples.hpp"
#include "libcore/codec/adaptive/sample_order.hpp"

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
  double bytes = 0;  // that it takes for a sample
};

// The places of a sample: so many, of so many bytes each.
struct Places {
  std::size_t count, size;
};

struct Sample {
  std::vector<std::uint8_t> bytes;
  Form form;  // of these bytes, before which no header lies
};

// Places that follow each other as though they were the data, so that what one teaches serves the
// next: whole rows, and whole planes where they are not too long.
Sample joined_places(Bytes data, const Form& form, const Places& places) {
  const std::size_t row = std::max(form.unit(), form.samples.frame());
  // Colours that follow each other mean nothing without their planes.
  const bool in_planes =
      form.kind == Kind::planar || (form.plane > row && form.plane <= places.size);
  const std::size_t unit = in_planes ? form.plane : row;
  const std::size_t length = (places.size + unit - 1) / unit * unit;
  if (places.count * length >= data.size()) return {{data.begin(), data.end()}, form};
  Sample joined{.bytes = {}, .form = form};
  if (form.kind == Kind::samples) {
    const std::size_t behind_header = (form.samples.offset / unit + 1) * unit;
    joined.form.samples = samples_from(behind_header, form.samples);
  }
  for (std::size_t i = 1; i <= places.count; ++i) {
    const std::size_t begin = (data.size() - length) / (places.count + 1) * i / unit * unit;
    const Bytes part = data.subspan(begin, length);
    joined.bytes.insert(joined.bytes.end(), part.begin(), part.end());
  }
  if (form.plane > joined.bytes.size()) joined.form.plane = 0;
  return joined;
}

// Some kinds are learned slowly: a sample takes more than the same length later on.
double share_later_on(Kind kind) {
  return kind == Kind::bits                             ? 31.0 / 32
         : kind == Kind::molecules || kind == Kind::dna ? 7.0 / 8
                                                        : 1;
}

// Codes such places in each way, and keeps those that may still be the best: at most `most`, and
// none that takes an eighth more than another.
void try_all(std::vector<Candidate>& candidates, Bytes data, const Places& places,
             std::size_t most) {
  constexpr double small = 16;  // a difference in bytes that decides nothing
  const auto all = static_cast<double>(std::min(data.size(), places.count * places.size));
  const auto limit = [small](double least) { return least * 9 / 8 + small; };
  double least = 2 * all;
  for (Candidate& candidate : candidates) {
    const auto [sample, form] = joined_places(data, candidate.form, places);
    const double share = all / static_cast<double>(sample.size());
    candidate.bytes =
        share * static_cast<double>(encode(sample, form, Level::normal,
                                           static_cast<std::size_t>(limit(least) / share))
                                        .size());
    candidate.bytes *= share_later_on(candidate.form.kind);
    least = std::min(least, candidate.bytes);
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::bytes);
  std::erase_if(candidates, [&](const Candidate& c) { return c.bytes > limit(least); });
  if (candidates.size() > most) candidates.resize(most);
}

// The forms that code the data best, as far as samples tell, the best of all first: a few bytes
// leave few of them, more put these in order.
std::vector<Candidate> best_of(std::span<const Form> forms, Bytes data) {
  constexpr std::size_t shortest = 512, longest = 1 << 12, finalists = 3;
  const auto share = [&](std::size_t n) { return std::clamp(data.size() / n, shortest, longest); };
  std::vector<Candidate> left;
  for (const Form& form : forms)
    if (fits(form, data.size()) && std::ranges::find(left, form, &Candidate::form) == left.end())
      left.push_back({form});
  if (left.size() > finalists) try_all(left, data, {2, share(256)}, finalists);
  if (left.size() > 1) try_all(left, data, {8, share(128)}, finalists);
  return left;
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
    if (is_cifar(data)) return {{Kind::planar, 32, 1024}};
    for (const std::uint32_t row : {0, 2, 4, 8}) forms.push_back({Kind::records, row, 0});
    const auto begin = static_cast<std::size_t>(sample.data() - data.data());
    for (const Kind kind : likely_code(sample, begin)) forms.push_back({kind});
    add_rasters(forms, likely_rows(sample, 6), data.size() < some_rows ? 1 : 3);
    add_samples(forms, sample, begin);
  }
  forms.push_back({});
  return forms;
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

std::vector<Form> likely_forms(Bytes data, std::span<const Form> known,
                               std::span<const Form> joined) {
  const bool is_known = !known.empty() && fits(known.front(), data.size());
  if (is_known && (known.size() == 1 || data.size() < least_sample)) return {known.front()};
  if (data.size() < least_sample) return {joined.empty() ? Form{} : joined.front()};
  std::vector<Form> forms(known.begin(), known.end());
  if (known.empty()) forms = possible_forms(data);
  else forms.push_back({});
  if (forms.size() > 1) forms.insert(forms.end(), joined.begin(), joined.end());
  std::vector<Candidate> best = best_of(forms, data);
  if (best.empty()) return {{}};
  // What joins others learns from them, unless it is in rows that these happen to have, too.
  constexpr std::uint32_t most_common_row = 8;
  const double enough = best.front().bytes * 1.02;
  const auto joins = std::ranges::find_if(best, [&](const Candidate& c) {
    return c.bytes <= enough && c.form.row <= most_common_row &&
           std::ranges::find(joined, c.form) != joined.end();
  });
  if (joins != best.end()) std::rotate(best.begin(), joins, joins + 1);
  std::vector<Form> found;
  for (const Candidate& c : best) found.push_back(c.form);
  return found;
}

}  // namespace logpx::codec::adaptive
