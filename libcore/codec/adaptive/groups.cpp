#include "libcore/codec/adaptive/groups.hpp"

#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>

namespace logpx::codec::adaptive {
namespace {

using Data = std::span<const std::uint8_t>;

constexpr std::size_t unit_bytes = 1 << 16;
// What is shorter is not worth a form of its own.
constexpr std::size_t least_part = 1 << 14;

struct ByteCounts {
  std::array<std::uint32_t, 256> of = {};
  std::size_t all = 0;

  void add(Data bytes) {
    for (const std::uint8_t byte : bytes) ++of[byte];
    all += bytes.size();
  }
};

// The bits a byte that the frequencies of `seen` cost `part` more than its own, less what so few
// bytes would seem to differ by chance.
double unlikeness(const ByteCounts& part, const ByteCounts& seen) {
  double nats = 0;
  std::size_t met = 0;
  for (std::size_t i = 0; i < 256; ++i) {
    if (part.of[i] == 0) continue;
    ++met;
    const double own = static_cast<double>(part.of[i]) / static_cast<double>(part.all),
                 other = (static_cast<double>(seen.of[i]) + 0.5) /
                         (static_cast<double>(seen.all) + 128);
    nats += own * det_log(own / other);
  }
  constexpr double bits_of_a_nat = 1.4426950408889634;
  const double chance = static_cast<double>(met) / 2 *
                        (1 / static_cast<double>(part.all) + 1 / static_cast<double>(seen.all));
  return (nats - chance) * bits_of_a_nat;
}

struct Part {
  std::size_t begin, end;
  std::vector<Form> known;
  bool within_file = false;  // it begins where another part of its file ends
};

// Parts of one texture, each as long as can be, and those of which something is known.
std::vector<Part> parts_of(Data data, std::span<const std::uint64_t> ends,
                           const KnownForms& known) {
  constexpr double unlike = 0.3;
  std::vector<Part> parts;
  ByteCounts seen;
  std::size_t begin = 0, at = 0;
  bool within_file = false;
  const auto close = [&](std::size_t end, const std::vector<Form>& forms = {}) {
    if (end > begin) parts.push_back({begin, end, forms, within_file});
    begin = at = end;
    seen = {};
    within_file = false;
  };
  for (const std::uint64_t end : ends) {
    if (const std::vector<Form> forms = known(data.subspan(at, end - at)); !forms.empty()) {
      close(at);
      close(end, forms);
    }
    for (const std::size_t file = at; at < end;) {
      const std::size_t size = end - at < 2 * unit_bytes ? end - at : unit_bytes;
      ByteCounts counts;
      counts.add(data.subspan(at, size));
      if (at - begin >= least_part && size >= least_part && unlikeness(counts, seen) > unlike) {
        close(at);
        within_file = at > file;
      }
      seen.add(data.subspan(at, size));
      at += size;
    }
  }
  close(data.size());
  return parts;
}

// So many bytes that what follows begins with a row, or a number, as a block does.
std::size_t to_end_of_row(const Form& form, std::size_t bytes) {
  const std::size_t row = std::max(form.unit(), form.samples.frame());
  return (row - bytes % row) % row;
}

}  // namespace

Groups find_groups(Data data, std::span<const std::uint64_t> ends, const KnownForms& known) {
  Groups groups;
  std::vector<Form> others;        // the likeliest of each group
  std::vector<std::size_t> bytes;  // of each group
  std::vector<Part> parts = parts_of(data, ends, known);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    std::vector<Form> forms =
        likely_forms(data.subspan(part.begin, part.end - part.begin), part.known, others);
    const Form form = forms.front();
    const auto same = std::ranges::find(others, form);
    const bool joins = part.known.empty() && same != others.end();
    const auto group = joins ? static_cast<std::size_t>(same - others.begin()) : others.size();
    if (!joins) {
      others.push_back(form);
      groups.forms.push_back(std::move(forms));
      bytes.push_back(0);
    }
    std::size_t size = part.end - part.begin;
    if (i + 1 < parts.size() && parts[i + 1].within_file) {
      Part& next = parts[i + 1];
      const std::size_t more = to_end_of_row(form, bytes[group] + size);
      if (more < next.end - next.begin) next.begin += more, size += more;
    }
    bytes[group] += size;
    if (!groups.stretches.empty() && groups.stretches.back().group == group)
      groups.stretches.back().bytes += size;
    else groups.stretches.push_back({size, group});
  }
  return groups;
}

}  // namespace logpx::codec::adaptive
