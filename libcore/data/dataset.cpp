#include "libcore/data/dataset.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

template <typename T>
std::vector<T> slice(const std::vector<T>& column, const Rows& rows, std::int64_t begin,
                     std::int64_t end) {
  if (column.empty()) return {};
  const auto width = static_cast<std::int64_t>(column.size()) / rows.count;
  return {column.begin() + begin * width, column.begin() + end * width};
}

constexpr std::int64_t max_rows = std::int64_t{1} << 60;

std::optional<std::int64_t> parse_row(const std::string& text) {
  const auto value = parse_integer(text);
  return value && *value >= 0 && *value <= max_rows ? value : std::nullopt;
}

// COUNT, rest or A-B behind the name; nothing when it is none of them.
std::optional<Split> parse_split(const std::string& name, const std::string& range,
                                 std::int64_t next, std::optional<std::int64_t> rest) {
  if (range == "rest" && rest) return Split{name, next, std::max(*rest, next)};
  const std::size_t dash = range.find('-', 1);
  if (dash == std::string::npos) {
    const auto count = parse_row(range);
    return count ? std::optional(Split{name, next, next + *count}) : std::nullopt;
  }
  const auto begin = parse_row(range.substr(0, dash)), end = parse_row(range.substr(dash + 1));
  if (!begin || !end || *end < *begin) return std::nullopt;
  return Split{name, *begin, *end};
}

}  // namespace

std::size_t element_size(Element element) {
  switch (element) {
    case Element::u8: return 1;
    case Element::u16:
    case Element::i16: return 2;
    case Element::f32: break;
  }
  return 4;
}

const char* word_of(Content content) {
  static constexpr const char* words[] = {"image", "vector", "symbols", "bytes", "molecules"};
  return words[static_cast<int>(content)];
}

const char* word_of(Measure measure) {
  return measure == Measure::counting ? "counting" : "lebesgue";
}

const char* word_of(Element element) {
  static constexpr const char* words[] = {"u8", "u16", "i16", "f32"};
  return words[static_cast<int>(element)];
}

std::int64_t DatasetInfo::dims() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

std::size_t DatasetInfo::row_bytes() const {
  return static_cast<std::size_t>(dims()) * element_size(element);
}

const Split* DatasetInfo::find_split(std::string_view wanted) const {
  for (const Split& split : splits)
    if (split.name == wanted) return &split;
  return nullptr;
}

MemoryRows::MemoryRows(DatasetInfo info, Rows rows)
    : info_(std::move(info)), rows_(std::move(rows)) {
  LOGPX_ASSERT(rows_.x.size() == info_.row_bytes() * static_cast<std::size_t>(info_.n) &&
               rows_.count == info_.n);
}

Rows MemoryRows::read(std::int64_t begin, std::int64_t end) {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= info_.n);
  return slice_rows(rows_, begin, end);
}

Rows slice_rows(const Rows& rows, std::int64_t begin, std::int64_t end) {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= rows.count);
  Rows part;
  part.count = end - begin;
  part.x = slice(rows.x, rows, begin, end);
  part.y = slice(rows.y, rows, begin, end);
  part.length = slice(rows.length, rows, begin, end);
  part.true_logp = slice(rows.true_logp, rows, begin, end);
  part.latent = slice(rows.latent, rows, begin, end);
  return part;
}

std::vector<Split> parse_splits(const std::string& spec, std::int64_t n, Overlap overlap) {
  std::vector<Split> splits;
  std::int64_t next = 0, last = 0;
  const std::vector<std::string> parts = split_text(spec, ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t colon = parts[i].find(':');
    const std::string name = parts[i].substr(0, colon);
    const std::string range = colon == std::string::npos ? "" : parts[i].substr(colon + 1);
    const auto split =
        parse_split(name, range, next, i + 1 == parts.size() ? std::optional(n) : std::nullopt);
    if (name.empty() || !split)
      fail(ErrorKind::usage, "--split",
           "'" + parts[i] + "' is not NAME:COUNT or NAME:A-B (the last count may be 'rest')");
    for (const Split& other : splits) {
      if (other.name == name) fail(ErrorKind::usage, "--split", "names '" + name + "' twice");
      if (overlap == Overlap::refuse &&
          std::max(split->begin, other.begin) < std::min(split->end, other.end))
        fail(ErrorKind::usage, "--split", "'" + other.name + "' and '" + name + "' share rows",
             "--allow-overlap");
    }
    splits.push_back(*split);
    next = split->end;
    last = std::max(last, split->end);
  }
  if (last > n)
    fail(ErrorKind::usage, "",
         "--split wants " + std::to_string(last) + " rows, the data have " + std::to_string(n));
  return splits;
}

std::vector<Split> default_splits(std::int64_t n) {
  const std::int64_t part = (n + 6) / 12;
  const std::int64_t test = std::min(part, n), valid = std::min(part, n - test);
  const std::int64_t train = n - test - valid;
  return {{"train", 0, train}, {"valid", train, train + valid}, {"test", train + valid, n}};
}

}  // namespace logpx
