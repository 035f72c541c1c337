#include "libcore/codec/adaptive/form_trial.hpp"

#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/sample_order.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace logpx::codec::adaptive {
namespace {

using Content = std::span<const std::uint8_t>;

// Parts of the data that are tried: so many bytes in all, in places of so many. There are eight to
// choose from, those in the middle first: a smaller sample has nothing else.
struct Places {
  std::size_t bytes, of_one;
  std::array<std::size_t, 8> order = {3, 6, 1, 8, 2, 4, 5, 7};

  [[nodiscard]] std::size_t begin(std::size_t i, std::size_t length, std::size_t data) const {
    return (data - length) / (order.size() + 1) * order[i];
  }
};

struct Candidate {
  Form form;
  double bytes = 0;                     // expected for all of the data
  double sample = 0, sample_bytes = 0;  // of the last sample: its size, and what it took
};

std::size_t row_of(const Form& form) { return std::max(form.unit(), form.samples.frame()); }

// Places hold whole rows; whole planes where these are not too long.
std::size_t unit_of_place(const Form& form, const Places& places) {
  // Colours that follow each other mean nothing without their planes.
  const bool in_planes =
      form.kind == Kind::planar || (form.plane > row_of(form) && form.plane <= places.of_one);
  return in_planes ? form.plane : row_of(form);
}

// What places take that follow each other as though they were the data, so that what one teaches
// serves the next.
std::size_t bytes_of_places(Content data, const Form& form, const Places& places,
                            std::size_t most) {
  const std::size_t unit = unit_of_place(form, places),
                    length = (places.of_one + unit - 1) / unit * unit,
                    count = (places.bytes + length - 1) / length;
  if (2 * places.bytes > data.size() || count * length >= data.size())
    return encode(data, form, Level::normal, most * data.size() / places.bytes).size() *
           places.bytes / data.size();
  const auto begin_of = [&](std::size_t i) {
    return places.begin(i, length, data.size()) / unit * unit;
  };
  if (count == 1)
    return bytes_of_part(data.first(begin_of(0) + places.bytes), begin_of(0), form, most);
  Form joined = form;
  if (form.kind == Kind::samples)
    joined.samples =
        samples_from((form.samples.offset / row_of(form) + 1) * row_of(form), form.samples);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const Content part = data.subspan(begin_of(i), length);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  bytes.resize(places.bytes);
  if (form.plane > bytes.size()) joined.plane = 0;
  return encode(bytes, joined, Level::normal, most).size();
}

// Some kinds are learned slowly: a short sample takes more than the same length later on. A sample
// of nearly nothing does not tell.
double share_later_on(Kind kind, double bytes, double sample) {
  if (16 * bytes < sample) return 1;
  return kind == Kind::bits                             ? 31.0 / 32
         : kind == Kind::samples                        ? 15.0 / 16
         : kind == Kind::molecules || kind == Kind::dna ? 7.0 / 8
                                                        : 1;
}

// What the data will take in that form, when the last sample is known: as much for each byte as
// those took by which this sample is longer than the one before.
void expect(Candidate& candidate, double all, double sample, double bytes) {
  double rate = bytes / sample * share_later_on(candidate.form.kind, bytes, sample);
  if (candidate.sample > 0 && sample > candidate.sample)
    rate = std::max(0.0, bytes - candidate.sample_bytes) / (sample - candidate.sample);
  candidate.bytes = bytes + std::max(0.0, all - sample) * rate;
  candidate.sample = sample;
  candidate.sample_bytes = bytes;
}

// Where the only place is nearly of one byte, another one that is as unlike itself as most.
void begin_with_content(Places& places, Content data) {
  std::array<std::pair<std::size_t, std::size_t>, 8> pairs;  // how many are equal, and where
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::array<std::size_t, 256> counts = {};
    for (const std::uint8_t byte :
         data.subspan(places.begin(i, places.of_one, data.size()), places.of_one))
      ++counts[byte];
    pairs[i] = {0, i};
    for (const std::size_t count : counts) pairs[i].first += count * count;
  }
  if (4 * pairs[0].first < places.of_one * places.of_one) return;
  std::ranges::sort(pairs);
  std::swap(places.order[0], places.order[pairs[pairs.size() / 4].second]);
}

// Codes such places in each way, and keeps those that may still be the best: at most `most`, and
// none that takes an eighth more than another. A few bytes of a sample are chance, which counts
// where it takes nearly nothing. Where a form has long rows, places are long: all are tried on the
// same ones.
void try_all(std::vector<Candidate>& candidates, Content data, Places places, std::size_t most) {
  constexpr std::size_t rows = 8;
  constexpr double chance = 16;
  for (const Candidate& candidate : candidates)
    places.of_one = std::max(places.of_one, rows * row_of(candidate.form));
  places.bytes = std::min(places.bytes, data.size());
  places.of_one = std::min(places.of_one, places.bytes);
  if (places.of_one == places.bytes) begin_with_content(places, data);
  const auto all = static_cast<double>(data.size()), sample = static_cast<double>(places.bytes);
  double least = 2 * all;
  std::size_t most_bytes = 2 * places.bytes;
  for (Candidate& candidate : candidates) {
    const std::size_t bytes = bytes_of_places(data, candidate.form, places, most_bytes);
    expect(candidate, all, sample, static_cast<double>(bytes));
    least = std::min(least, candidate.bytes);
    most_bytes = std::min(most_bytes, bytes * 3 / 2 + 16);
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::bytes);
  const double enough = least * 9 / 8 + chance * all / sample;
  std::erase_if(candidates, [&](const Candidate& c) { return c.bytes > enough; });
  if (candidates.size() > most) candidates.resize(most);
}

// Forecasts go on learning, and places that follow each other disturb them.
bool is_close(const Candidate& a, const Candidate& b) {
  const bool forecasts = a.form.kind == Kind::samples || b.form.kind == Kind::samples;
  return forecasts && b.bytes < 1.05 * a.bytes;
}

}  // namespace

std::vector<TriedForm> best_forms(std::span<const Form> forms, Content data) {
  constexpr std::size_t shortest = 1 << 13, longest = 1 << 15, hopeful = 5, finalists = 3;
  const std::size_t size = std::clamp(data.size() / 8, shortest, longest);
  std::vector<Candidate> left;
  for (const Form& form : forms)
    if (fits(form, data.size()) && std::ranges::find(left, form, &Candidate::form) == left.end())
      left.push_back({form});
  if (left.size() > 1) {
    try_all(left, data, {size / 4, size / 8 + 1}, hopeful);
    if (left.size() > 1) try_all(left, data, {size, size / 8 + 1}, finalists);
    if (left.size() > 1 && size < longest && is_close(left[0], left[1]))
      try_all(left, data, {std::min(longest, data.size() / 2), longest / 8 + 1}, 2);
  }
  std::vector<TriedForm> best;
  for (const Candidate& candidate : left) best.push_back({candidate.form, candidate.bytes});
  return best;
}

}  // namespace logpx::codec::adaptive
