#include "libcore/data/splits.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace logpx {
namespace {

constexpr std::int64_t max_rows = std::int64_t{1} << 60;

std::optional<std::int64_t> parse_row(const std::string& text) {
  const auto value = parse_integer(text);
  return value && *value >= 0 && *value <= max_rows ? value : std::nullopt;
}

// Cuts n rows in order. Shares are rounded where they end, not each by itself, so that 33.3%, 33.3%
// and rest leave no gap, and 50%, 50% give all rows.
class SplitCutter {
 public:
  explicit SplitCutter(std::int64_t n) : n_(n) {}

  // COUNT, SHARE%, A-B, and for the last one rest; nothing when it is none of them.
  [[nodiscard]] std::optional<Split> cut(const std::string& name, const std::string& range,
                                         bool last) {
    std::optional<Split> split = parse(name, range, last);
    if (!split) return split;
    if (!range.ends_with('%')) exact_ = static_cast<double>(split->end);
    next_ = split->end;
    return split;
  }

 private:
  [[nodiscard]] std::optional<Split> parse(const std::string& name, const std::string& range,
                                           bool last) {
    if (range == "rest" && last) return Split{name, next_, std::max(n_, next_)};
    if (range.ends_with('%')) {
      const auto percent = parse_real(range.substr(0, range.size() - 1));
      if (!percent || *percent < 0 || *percent > 100) return std::nullopt;
      exact_ += *percent / 100 * static_cast<double>(n_);
      return Split{name, next_, std::max<std::int64_t>(next_, std::llround(exact_))};
    }
    const std::size_t dash = range.find('-', 1);
    if (dash == std::string::npos) {
      const auto count = parse_row(range);
      return count ? std::optional(Split{name, next_, next_ + *count}) : std::nullopt;
    }
    const auto begin = parse_row(range.substr(0, dash)), end = parse_row(range.substr(dash + 1));
    if (!begin || !end || *end < *begin) return std::nullopt;
    return Split{name, *begin, *end};
  }

  std::int64_t n_, next_ = 0;
  double exact_ = 0;  // where the next one begins, before rounding
};

// "3 (dog)"
std::string class_words(const DatasetInfo& info, std::int32_t label) {
  const std::string number = std::to_string(label), name = class_name(info.label_names, label);
  return name == number ? number : number + " (" + name + ')';
}

}  // namespace

std::vector<Split> parse_splits(const std::string& spec, std::int64_t n, Overlap overlap) {
  std::vector<Split> splits;
  std::int64_t last = 0;
  SplitCutter cutter(n);
  const std::vector<std::string> parts = split_text(spec, ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t colon = parts[i].find(':');
    const std::string name = parts[i].substr(0, colon);
    const std::string range = colon == std::string::npos ? "" : parts[i].substr(colon + 1);
    const auto split = cutter.cut(name, range, i + 1 == parts.size());
    if (name.empty() || !split)
      fail(ErrorKind::usage, "--split",
           "'" + parts[i] +
               "' is not NAME:COUNT, NAME:SHARE% or NAME:A-B (the last may be NAME:rest)");
    for (const Split& other : splits) {
      if (other.name == name) fail(ErrorKind::usage, "--split", "names '" + name + "' twice");
      if (overlap == Overlap::refuse &&
          std::max(split->begin, other.begin) < std::min(split->end, other.end))
        fail(ErrorKind::usage, "--split", "'" + other.name + "' and '" + name + "' share rows",
             "--allow-overlap");
    }
    splits.push_back(*split);
    last = std::max(last, split->end);
  }
  if (last > n)
    fail(ErrorKind::usage, "",
         "--split needs " + std::to_string(last) + " rows, the data have " + std::to_string(n));
  return splits;
}

std::vector<Split> default_splits(std::int64_t n) {
  const std::int64_t part = (n + 6) / 12;
  const std::int64_t test = std::min(part, n), valid = std::min(part, n - test);
  const std::int64_t train = n - test - valid;
  return {{"train", 0, train}, {"valid", train, train + valid}, {"test", train + valid, n}};
}

std::vector<std::string> lacking_classes(const DatasetInfo& info,
                                         std::span<const std::int32_t> labels) {
  if (!info.has_labels) return {};
  std::vector<std::set<std::int32_t>> held;
  std::set<std::int32_t> all;
  for (const Split& split : info.splits) {
    const auto rows = labels.subspan(static_cast<std::size_t>(split.begin),
                                     static_cast<std::size_t>(split.end - split.begin));
    all.insert(rows.begin(), rows.end());
    held.emplace_back(rows.begin(), rows.end());
  }
  std::vector<std::string> warnings;
  for (std::size_t s = 0; s < held.size(); ++s) {
    const auto lacks = [&](std::int32_t label) { return !held[s].contains(label); };
    const auto first = std::ranges::find_if(all, lacks);
    if (held[s].empty() || first == all.end()) continue;
    const auto more = std::ranges::count_if(all, lacks) - 1;
    warnings.push_back(
        "split " + info.splits[s].name + " has no row of class " + class_words(info, *first) +
        (more > 0 ? " and " + std::to_string(more) + " more" : "") + ", which other splits have");
  }
  return warnings;
}

}  // namespace logpx
