#include "libcore/data/dataset.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

template <typename T>
std::vector<T> slice(const std::vector<T>& column, std::int64_t begin, std::int64_t end,
                     std::int64_t width) {
  if (column.empty()) return {};
  return {column.begin() + begin * width, column.begin() + end * width};
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
  LOGPX_ASSERT(rows_.x.size() == info_.row_bytes() * static_cast<std::size_t>(info_.n));
}

Rows MemoryRows::read(std::int64_t begin, std::int64_t end) {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= info_.n);
  Rows part;
  part.count = end - begin;
  part.x = slice(rows_.x, begin, end, static_cast<std::int64_t>(info_.row_bytes()));
  part.y = slice(rows_.y, begin, end, 1);
  part.length = slice(rows_.length, begin, end, 1);
  part.true_logp = slice(rows_.true_logp, begin, end, 1);
  part.latent = slice(rows_.latent, begin, end, info_.latent_dim);
  return part;
}

std::vector<Split> parse_splits(const std::string& spec, std::int64_t n) {
  std::vector<Split> splits;
  std::int64_t next = 0;
  const std::vector<std::string> parts = split_text(spec, ',');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t colon = parts[i].find(':');
    const std::string name = parts[i].substr(0, colon);
    const std::string count = colon == std::string::npos ? "" : parts[i].substr(colon + 1);
    const bool rest = count == "rest" && i + 1 == parts.size();
    const auto size =
        rest ? std::optional(std::max<std::int64_t>(n - next, 0)) : parse_integer(count);
    if (name.empty() || !size || *size < 0)
      fail(ErrorKind::usage, "--split",
           "'" + parts[i] + "' is not NAME:COUNT (the last count may be 'rest')");
    for (const Split& other : splits)
      if (other.name == name) fail(ErrorKind::usage, "--split", "names '" + name + "' twice");
    if (*size > (std::int64_t{1} << 60))
      fail(ErrorKind::usage, "--split", "count " + count + " is too large");
    splits.push_back({name, next, next + *size});
    next += *size;
  }
  if (next > n)
    fail(ErrorKind::usage, "",
         "--split wants " + std::to_string(next) + " rows, the data have " + std::to_string(n));
  return splits;
}

std::vector<Split> default_splits(std::int64_t n) {
  const std::int64_t part = (n + 6) / 12;
  const std::int64_t test = std::min(part, n), valid = std::min(part, n - test);
  const std::int64_t train = n - test - valid;
  return {{"train", 0, train}, {"valid", train, train + valid}, {"test", train + valid, n}};
}

}  // namespace logpx
