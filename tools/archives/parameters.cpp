#include "tools/archives/parameters.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace logpx::compress {
namespace {

constexpr std::int64_t most_block_items = std::int64_t{1} << 24;
// Words for items that are symbols of a sequence: whole runs, or runs whose last may be shorter.
constexpr const char *whole_runs = "symbols", *any_runs = "runs";

std::int64_t whole(const Json& value, std::int64_t low, std::int64_t high) {
  const std::int64_t number = value.integer();
  if (number < low || number > high)
    fail(ErrorKind::data, "", "is " + std::to_string(number) + ", out of its range");
  return number;
}

archive::ItemShape item_of(const Json& json) {
  archive::ItemShape item;
  const Json& shape = json.at("item_shape");
  if (shape.size() != 3) fail(ErrorKind::data, "item_shape", "is not [height, width, channels]");
  std::int64_t left = archive::max_block_bytes;
  for (std::size_t i = 0; i < 3; ++i) left /= whole(shape.at(i), 1, left);
  item.shape = {shape.at(0).integer(), shape.at(1).integer(), shape.at(2).integer()};
  item.levels = whole(json.at("levels"), 2, 256);
  return item;
}

std::string alphabet_of(const Json& codes, std::int64_t levels) {
  std::string alphabet;
  std::set<std::int64_t> seen;
  for (const Json& code : codes.items()) {
    seen.insert(whole(code, 0, 255));
    alphabet += static_cast<char>(code.integer());
  }
  if (seen.size() != alphabet.size() || std::ssize(alphabet) != levels)
    fail(ErrorKind::data, "alphabet", "is not one byte for each level");
  return alphabet;
}

std::string text_of(const Json& json, const char* key) {
  const Json* found = json.find(key);
  return found == nullptr ? "" : found->string();
}

}  // namespace

std::string Parameters::model_words() const {
  if (!units.item) return codec;
  const archive::RasterShape& shape = units.item->shape;
  const std::string sizes = std::to_string(shape.height) + 'x' + std::to_string(shape.width) + 'x' +
                            std::to_string(shape.channels);
  return codec + ", items " +
         (units.sequence ? "of " + std::to_string(shape.width) + " symbols" : sizes) + ", " +
         std::to_string(units.item->levels) + " levels";
}

std::int64_t usual_block_items(const archive::CodingUnits& units) {
  constexpr std::int64_t symbols = 1 << 20;
  return units.sequence ? std::max<std::int64_t>(1, symbols / units.item->shape.size()) : 512;
}

Json Parameters::json() const {
  Json json = Json::object();
  if (!prime.empty()) json.set(archive::prime_key, prime);
  if (!units.item) return json;
  const archive::RasterShape& shape = units.item->shape;
  json.set("codec", codec).set("levels", units.item->levels);
  json.set("item_shape", Json::array({shape.height, shape.width, shape.channels}));
  if (units.block_items != usual_block_items(units)) json.set("block_items", units.block_items);
  if (lanes != 1) json.set("lanes", lanes);
  if (units.sequence) json.set("items", units.short_last ? any_runs : whole_runs);
  if (!units.alphabet.empty()) {
    Json codes = Json::array();
    for (const char c : units.alphabet) codes.push(int{static_cast<unsigned char>(c)});
    json.set("alphabet", std::move(codes));
  }
  json.set("settings", settings).set("probe", probe);
  if (!host.empty()) json.set("host", host);
  return json;
}

Parameters Parameters::parse(const Json& json) {
  Parameters out;
  const auto number = [&](const char* key, std::int64_t usual, std::int64_t high) {
    const Json* found = json.find(key);
    return found == nullptr ? usual : whole(*found, 1, high);
  };
  try {
    out.prime = text_of(json, archive::prime_key);
    if (!out.prime.empty() && out.prime.size() != archive::prime_digits)
      fail(ErrorKind::data, "prime", "is no hash of a file");
    const std::string family = text_of(json, "codec");
    if (family.empty()) return out;
    out.codec = family;
    out.host = text_of(json, "host");
    out.units.item = item_of(json);
    out.lanes = static_cast<int>(number("lanes", 1, 8));
    if (!std::has_single_bit(static_cast<unsigned>(out.lanes)))
      fail(ErrorKind::data, "lanes", "are not 1, 2, 4 or 8");
    const std::string items = text_of(json, "items");
    out.units.short_last = items == any_runs;
    out.units.sequence = items == whole_runs || out.units.short_last;
    if (!out.units.sequence && !items.empty())
      fail(ErrorKind::data, "items", "are of a kind that is not known here");
    out.units.block_items = number("block_items", usual_block_items(out.units), most_block_items);
    if (const Json* codes = json.find("alphabet"))
      out.units.alphabet = alphabet_of(*codes, out.units.item->levels);
    out.settings = json.at("settings");
    out.probe = json.at("probe").string();
    if (out.probe.size() != probe_digits) fail(ErrorKind::data, "probe", "is no hash");
  } catch (const Error& error) {
    throw Error(ErrorKind::data, error.subject(), error.message(), "", error.where())
        .within("header: parameters");
  }
  return out;
}

}  // namespace logpx::compress
