#include "tools/sessions/seen_rows.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <optional>

namespace logpx {
namespace {

// A member of an object, or null.
Json member(const Json& object, const std::string& key) {
  const Json* found = object.is_object() ? object.find(key) : nullptr;
  return found == nullptr ? Json() : *found;
}

// The place of a dataset's row 0 in its source.
struct DataOrigin {
  std::string source;  // everything that determines the rows of the source; empty: not known
  std::int64_t first_row = 0;
};

constexpr std::int64_t most_rows = std::int64_t{1} << 60;

std::int64_t first_of(const Json& range) {  // "A:B", or null
  if (!range.is_string()) return 0;
  const std::string text = range.string();
  const auto first = parse_integer(text.substr(0, text.find(':')));
  return first && *first >= 0 && *first <= most_rows ? *first : 0;
}

DataOrigin origin_of(const Json& provenance) {
  Json config = member(provenance, "config");
  if (!config.is_object()) return {};
  DataOrigin origin;
  if (member(config, "shuffle_seed").is_null()) {  // other settings only select or name rows
    origin.first_row = first_of(member(config, "rows"));
    for (const char* key :
         {"split", "allow_overlap", "licence", "citation", "rows", "limit", "num"})
      config.erase(key);
    if (member(provenance, "tool") != Json("make-data")) config.erase("name");
  }
  Json sources = Json::array();
  const Json inputs = member(provenance, "inputs");
  for (std::size_t i = 0; inputs.is_array() && i < inputs.size(); ++i) {
    const Json hash = member(inputs.at(i), "content_hash");
    if (!hash.is_string()) return {};  // it came through a pipe
    sources.push(hash);
  }
  origin.source = Json::array({member(provenance, "tool"), sources, config}).dump(-1);
  return origin;
}

// The rows of one of its inputs that training used.
std::optional<RowSelection> rows_of(const Json& input) {
  const Json rows = member(input, "rows");
  if (!rows.is_array() || rows.size() != 2) return std::nullopt;
  const RowSelection range{rows.at(0).integer(), rows.at(1).integer()};
  const bool sane = 0 <= range.begin && range.begin <= range.end && range.end <= most_rows;
  return sane ? std::optional(range) : std::nullopt;
}

// Training's rows as rows of the dataset that is evaluated now; nothing if unknown.
std::optional<RowSelection> translated(const Json& input, const Ancestry& ancestry) {
  const auto rows = rows_of(input);
  if (!rows || member(input, "content_hash") == Json(ancestry.hash)) return rows;
  const DataOrigin then = origin_of(member(input, "provenance")), now = origin_of(ancestry.dataset);
  if (then.source.empty() || then.source != now.source) return std::nullopt;
  const std::int64_t ahead = then.first_row - now.first_row;
  return RowSelection{rows->begin + ahead, rows->end + ahead};
}

}  // namespace

const char* word_of(SeenRows::Answer answer) {
  static constexpr const char* words[] = {"none", "some", "all", "unknown"};
  return words[static_cast<int>(answer)];
}

SeenRows rows_seen(const Ancestry& ancestry, RowSelection rows) {
  const Json inputs = member(ancestry.model, "inputs");
  for (std::size_t i = 0; inputs.is_array() && i < inputs.size(); ++i) {
    if (member(inputs.at(i), "role") != Json("dataset")) continue;
    const auto seen = translated(inputs.at(i), ancestry);
    if (!seen) return {};
    const std::int64_t shared = std::max<std::int64_t>(
        0, std::min(seen->end, rows.end) - std::max(seen->begin, rows.begin));
    if (shared == 0) return {SeenRows::Answer::none, 0};
    const bool whole = shared == rows.end - rows.begin;
    return {whole ? SeenRows::Answer::all : SeenRows::Answer::some, shared};
  }
  return {};
}

}  // namespace logpx
