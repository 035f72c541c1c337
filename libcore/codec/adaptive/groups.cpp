#include "libcore/codec/adaptive/groups.hpp"

#include "libcore/codec/adaptive/form_trial.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/codec/adaptive/sample_order.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <limits>

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
  bool within_file = false;      // it begins where another part of its file ends
  std::vector<Form> forms = {};  // the likeliest first

  [[nodiscard]] std::size_t size() const { return end - begin; }
  [[nodiscard]] Data of(Data data) const { return data.subspan(begin, size()); }
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

// The form of what lies so many bytes behind the place where `form` begins.
Form seen_after(std::size_t bytes, Form form) {
  if (form.kind == Kind::samples) form.samples = samples_from(bytes, form.samples);
  return form;
}

// And so many bytes before it.
Form seen_before(std::size_t bytes, const Form& form) {
  const std::size_t frame = std::max(std::uint32_t{1}, form.samples.frame());
  return seen_after(frame - bytes % frame, form);
}

// How much longer a part is thought to be in another form than in its own.
double growth(Data part, const Form& own, const Form& other) {
  const std::vector<TriedForm> tried = best_forms(std::array{own, other}, part);
  const auto bytes_in = [&](const Form& form) {
    const auto found = std::ranges::find(tried, form, &TriedForm::form);
    return found == tried.end() ? std::numeric_limits<double>::infinity() : found->bytes;
  };
  return bytes_in(other) / bytes_in(own);
}

// Whether a part takes in the one behind it: where one of the two does nearly as well in the form
// of the other, what is learned of the first is worth more than a form of its own.
bool takes_in(Part& part, const Part& next, Data data) {
  constexpr double enough = 1.005;
  const Form own = part.forms.front(), other = next.forms.front();
  const Form own_there = seen_after(part.size(), own), other_here = seen_before(part.size(), other);
  if (own_there != other) {
    const double here = growth(part.of(data), own, other_here),
                 there = growth(next.of(data), other, own_there);
    if (std::min(here, there) > enough) return false;
    if (here < there) part.forms = {other_here};
  }
  part.end = next.end;
  return true;
}

// So many bytes that what follows begins with a row, or a number, as a block does.
std::size_t to_end_of_row(const Form& form, std::size_t bytes) {
  const std::size_t row = std::max(form.unit(), form.samples.frame());
  return (row - bytes % row) % row;
}

// All parts with their forms. Where two stay apart within a file, a row ends between them.
std::vector<Part> parts_with_forms(std::vector<Part> parts, Data data) {
  std::vector<Part> found;
  std::vector<Form> seen;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    part.forms = likely_forms(part.of(data), part.known, seen);
    seen.push_back(part.forms.front());
    if (!part.within_file || !takes_in(found.back(), part, data)) found.push_back(part);
    if (i + 1 == parts.size() || !parts[i + 1].within_file) continue;
    Part &last = found.back(), &next = parts[i + 1];
    const std::size_t more = to_end_of_row(last.forms.front(), last.size());
    if (more < next.size()) last.end = next.begin += more;
  }
  return found;
}

}  // namespace

Groups find_groups(Data data, std::span<const std::uint64_t> ends, const KnownForms& known) {
  Groups groups;
  std::vector<Form> likeliest;  // of each group
  for (Part& part : parts_with_forms(parts_of(data, ends, known), data)) {
    const auto same = std::ranges::find(likeliest, part.forms.front());
    const bool joins = part.known.empty() && same != likeliest.end();
    const auto group =
        joins ? static_cast<std::size_t>(same - likeliest.begin()) : likeliest.size();
    if (!joins) {
      likeliest.push_back(part.forms.front());
      groups.forms.push_back(std::move(part.forms));
    }
    if (!groups.stretches.empty() && groups.stretches.back().group == group)
      groups.stretches.back().bytes += part.size();
    else groups.stretches.push_back({part.size(), group});
  }
  return groups;
}

}  // namespace logpx::codec::adaptive
