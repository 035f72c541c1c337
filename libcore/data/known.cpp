#include "libcore/data/known.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

#include <algorithm>
#include <string_view>

namespace logpx {
namespace {

constexpr const char* known_option = "--known";

[[noreturn]] void bad_known(const std::string& text, const std::string& expected) {
  fail(ErrorKind::usage, known_option, "'" + text + "' is not " + expected);
}

KnownPart parse_range(KnownPart::Kind kind, const std::string& text, std::string_view range) {
  const std::size_t dash = range.find('-');
  const auto first = parse_integer(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_integer(range.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first)
    bad_known(text, "A-B with whole numbers 0 <= A <= B, both included");
  return {.kind = kind, .first = *first, .last = *last};
}

void require_inside(const KnownPart& part, std::int64_t size, const char* what) {
  if (part.last >= size)
    fail(ErrorKind::usage, known_option,
         std::string("names ") + what + ' ' + std::to_string(part.last) + ", and the data have " +
             what + "s 0 to " + std::to_string(size - 1));
}

}  // namespace

KnownPart parse_known(const std::string& text) {
  const std::string_view view = text;
  if (view.starts_with("rows:")) return parse_range(KnownPart::Kind::rows, text, view.substr(5));
  if (view.starts_with("cols:")) return parse_range(KnownPart::Kind::columns, text, view.substr(5));
  if (view.starts_with("every:")) {
    const auto step = parse_integer(view.substr(6));
    if (!step || *step < 1) bad_known(text, "every:K with a whole number K of at least 1");
    return {.kind = KnownPart::Kind::every, .step = *step};
  }
  if (text.empty()) bad_known(text, "rows:A-B, cols:A-B, every:K or the name of a file");
  return {.kind = KnownPart::Kind::file, .file = text};
}

std::vector<std::uint8_t> known_places(const KnownPart& part, const DatasetInfo& info) {
  LOGPX_ASSERT(part.kind != KnownPart::Kind::file);
  std::vector<std::uint8_t> known(at(info.dims()));
  if (part.kind == KnownPart::Kind::every) {
    for (std::size_t i = 0; i < known.size(); i += at(part.step)) known[i] = 1;
    return known;
  }
  if (info.content != Content::image)
    fail(ErrorKind::usage, known_option,
         "rows and columns need pictures, and these data are not pictures",
         !info.column_names.empty() ? "the names of columns, A,B"
                                    : "every:K, or a file with a mask of the data's shape");
  const std::int64_t height = info.shape[0], width = info.shape[1],
                     channels = info.dims() / (height * width);
  const bool rows = part.kind == KnownPart::Kind::rows;
  require_inside(part, rows ? height : width, rows ? "row" : "column");
  for (std::int64_t i = 0; i < info.dims(); ++i) {
    const std::int64_t pixel = i / channels, place = rows ? pixel / width : pixel % width;
    known[at(i)] = place >= part.first && place <= part.last ? 1 : 0;
  }
  return known;
}

std::optional<std::vector<std::uint8_t>> known_columns(const std::string& text,
                                                       const std::vector<std::string>& names) {
  const auto place_of = [&](const std::string& name) {
    return std::ranges::find(names, name) - names.begin();
  };
  const auto is_column = [&](const std::string& name) {
    return place_of(name) < std::ssize(names);
  };
  const std::vector<std::string> items = split_list(text).value_or(std::vector<std::string>());
  if (std::ranges::none_of(items, is_column)) return std::nullopt;
  std::vector<std::uint8_t> known(names.size());
  for (const std::string& item : items) {
    if (!is_column(item))
      fail(ErrorKind::usage, known_option,
           "there is no column '" + item + '\'' + did_you_mean(item, names));
    known[at(place_of(item))] = 1;
  }
  return known;
}

std::vector<std::uint8_t> known_places(std::span<const float> mask, const DatasetInfo& info,
                                       const std::string& file) {
  if (std::ssize(mask) != info.dims())
    fail(ErrorKind::data, file,
         "has " + std::to_string(mask.size()) + " values, and a row of the data has " +
             std::to_string(info.dims()));
  std::vector<std::uint8_t> known;
  for (const float value : mask) {
    if (value != 0.0F && value != 1.0F)
      fail(ErrorKind::data, file,
           "holds " + to_text(static_cast<double>(value)) + ", and a mask holds 0 and 1");
    known.push_back(value == 1.0F ? 1 : 0);
  }
  return known;
}

}  // namespace logpx
