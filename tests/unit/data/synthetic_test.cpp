#include "libcore/data/synthetic.hpp"

#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "tests/support/synthetic.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <algorithm>
#include <iterator>
#include <span>

namespace logpx::synthetic_test {
namespace {

const std::string hashes_path =
    std::string(LOGPX_SOURCE_DIR) + "/tests/unit/data/synthetic_hashes.json";

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
  const auto bytes = [](const std::vector<double>& v) { return std::as_bytes(std::span(v)); };
  return std::ranges::equal(bytes(a), bytes(b));
}

bool same(const Rows& a, const Rows& b) {
  return a.count == b.count && a.x == b.x && a.y == b.y && a.length == b.length &&
         same_bytes(a.true_logp, b.true_logp) && a.latent == b.latent;
}

// Over x, y, length, true_logp, latent in this order, each little-endian.
std::string hash_of(const Rows& rows) {
  static_assert(std::endian::native == std::endian::little);
  Sha256 sum;
  sum.update(rows.x);
  sum.update(std::as_bytes(std::span(rows.y)));
  sum.update(std::as_bytes(std::span(rows.length)));
  sum.update(std::as_bytes(std::span(rows.true_logp)));
  sum.update(std::as_bytes(std::span(rows.latent)));
  return sum.hex();
}

std::int64_t hundred(const SyntheticCase& wanted) {
  return wanted.settings.size() == 2 && wanted.settings[1] == "enumerate=true" ? 128 : 100;
}

std::string refusal(const SyntheticCase& wanted) {
  Workers workers(1);
  try {
    (void)make_synthetic(request_of(wanted, 10), workers);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("synthetic: 100 rows are the first of 1000, whatever the threads and the reading order") {
  Workers one(1), three(3);
  for (const SyntheticCase& wanted : synthetic_cases()) {
    CAPTURE(wanted.name);
    CAPTURE(join_text(wanted.settings, " "));
    const std::int64_t few = hundred(wanted), many = few == 128 ? 128 : 230;
    const auto small = make_synthetic(request_of(wanted, few), one);
    const auto large = make_synthetic(request_of(wanted, many), three);
    CHECK(same(small->read(0, few), large->read(0, few)));
    const Rows tail = large->read(77, many);
    (void)large->read(3, 4);
    CHECK(same(tail, large->read(77, many)));
    CHECK(same(small->read(70, 71), large->read(70, 71)));
  }
}

TEST_CASE("synthetic: another seed gives other rows, another structure seed another source") {
  Workers workers(2);
  for (const GeneratorEntry& entry : generators()) {
    CAPTURE(entry.name);
    SyntheticRequest request{.name = entry.name, .n = 100, .seed = 1, .options = {}};
    const Rows first = make_synthetic(request, workers)->read(0, 100);
    request.seed = 2;
    CHECK(first.x != make_synthetic(request, workers)->read(0, 100).x);
    request.seed = 1;
    bool has_structure = false;
    for (const KnownOption& option : entry.options)
      has_structure = has_structure || std::string(option.name) == "structure-seed";
    if (!has_structure) continue;
    request.options.structure_seed = 5;
    if (request.name == "gauss") request.options.cov = "diag";  // iso has nothing to choose
    CHECK(first.x != make_synthetic(request, workers)->read(0, 100).x);
  }
}

// These hashes hold on every machine. After a change of what is generated (which needs a line under
// Formats in CHANGELOG.md) write them anew by
//   build/bin/logpx-tests --no-skip -tc='synthetic: write the stored hashes'
TEST_CASE("synthetic: 100 rows of every generator have the stored hashes") {
  std::ifstream in(hashes_path, std::ios::binary);
  REQUIRE(in);
  const Json stored = Json::parse(std::string{std::istreambuf_iterator<char>(in), {}}, hashes_path);
  const std::vector<SyntheticCase> cases = synthetic_cases();
  REQUIRE(stored.size() == cases.size());
  Workers workers(2);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string settings = join_text(cases[i].settings, " ");
    CAPTURE(cases[i].name);
    CAPTURE(settings);
    REQUIRE(stored.at(i).at("generator").string() == cases[i].name);
    REQUIRE(stored.at(i).at("settings").string() == settings);
    const std::int64_t n = hundred(cases[i]);
    CHECK(stored.at(i).at("sha256").string() ==
          hash_of(make_synthetic(request_of(cases[i], n), workers)->read(0, n)));
  }
}

TEST_CASE("synthetic: write the stored hashes" * doctest::skip()) {
  Json list = Json::array();
  Workers workers(2);
  for (const SyntheticCase& wanted : synthetic_cases()) {
    const std::int64_t n = hundred(wanted);
    Json line = Json::object();
    line.set("generator", wanted.name).set("settings", join_text(wanted.settings, " "));
    line.set("sha256", hash_of(make_synthetic(request_of(wanted, n), workers)->read(0, n)));
    list.push(line);
  }
  std::ofstream out(hashes_path, std::ios::binary);
  out << list.dump() << '\n';
  CHECK(out.good());
}

TEST_CASE("synthetic: what a generator declares is what its rows hold") {
  Workers workers(2);
  for (const SyntheticCase& wanted : synthetic_cases()) {
    CAPTURE(wanted.name);
    const auto source = make_synthetic(request_of(wanted, hundred(wanted)), workers);
    const DatasetInfo& info = source->info();
    const Rows rows = source->read(0, info.n);
    CHECK(rows.x.size() == info.row_bytes() * static_cast<std::size_t>(info.n));
    CHECK(rows.y.empty() == !info.has_labels);
    CHECK(rows.true_logp.empty() == !info.has_true_logp);
    CHECK(rows.latent.size() == static_cast<std::size_t>(info.latent_dim * info.n));
    CHECK(info.source_kind == "synthetic");
    CHECK(!info.licence.empty());
    CHECK(info.splits.back().end == info.n);
    CHECK(info.value_min < info.value_max);
    CHECK(rows.length.empty() == !info.has_lengths);
    if (info.element == Element::u8 && info.content != Content::molecules)
      for (const std::uint8_t value : rows.values<std::uint8_t>())
        CHECK_MESSAGE(value < info.levels, value);
    if (info.element == Element::f32)
      for (const float value : rows.values<float>())
        CHECK_MESSAGE(((info.has_missing && std::isnan(value)) ||
                       (info.value_min <= value && value <= info.value_max)),
                      value);
    if (!info.alphabet.empty()) CHECK(std::ssize(info.alphabet) == info.levels);
    for (const double log_p : rows.true_logp) CHECK(std::isfinite(log_p));
    for (const std::int32_t label : rows.y) {
      CHECK(label >= 0);
      if (!info.label_names.empty()) CHECK(label < std::ssize(info.label_names));
    }
  }
}

TEST_CASE("synthetic: an option of another generator is refused by name") {
  CHECK(refusal({"digits", {"cov=iso"}}) == "--cov is not an option of digits (gauss has it)");
  CHECK(refusal({"even", {"length=4"}}) ==
        "--length is not an option of even (markov-text, hmm-text, bytes have it)");
  CHECK(refusal({"gauss", {"elastic=false"}}) ==
        "--elastic is not an option of gauss (digits has it)");
}

TEST_CASE("synthetic: values that make no sense are refused") {
  CHECK(refusal({"digits", {"size=29"}}) == "--size: '29' is not 28, 14 or 8");
  CHECK(refusal({"digits", {"classes=3,3"}}) == "--classes: names a digit twice");
  CHECK(refusal({"digits", {"classes=10"}}) == "--classes: '10' is not a digit");
  CHECK(refusal({"gauss", {"cov=toeplitz:1"}}) ==
        "--cov: 'toeplitz:1' is not toeplitz:RHO with RHO between -1 and 1");
  CHECK(refusal({"gauss", {"cov=lowrank:2"}}) ==
        "--cov: 'lowrank:2' is not iso, diag, toeplitz:RHO or lowrank:Q,SIGMA");
  CHECK(refusal({"gauss", {"cov=isotropic"}}) ==
        "--cov: 'isotropic' is not iso, diag, toeplitz:RHO or lowrank:Q,SIGMA");
  CHECK(refusal({"shapes2d", {"shape=checkerbord"}}) ==
        "SHAPE: 'checkerbord' is not one of checkerboard, ring8, grid25, two-moons, pinwheel, "
        "spiral (did you mean checkerboard?)");
  CHECK(refusal({"shapes2d", {"shape=checkerboard", "sigma=1"}}) ==
        "--sigma is not an option of shapes2d checkerboard");
  CHECK(refusal({"markov-text", {"order=3", "alphabet=100"}}) ==
        "--order: '3' is not small enough for an alphabet of 100");
  CHECK(refusal({"markov-text", {"order=3", "words=true"}}) ==
        "--order does not go with --words (the chain of words has order 1)");
  CHECK(refusal({"bernoulli-mix", {"dim=6", "enumerate=true"}}) ==
        "--num: the whole table has 64 rows");
  CHECK(refusal({"bytes", {"mixture=english,french"}}) ==
        "--mixture: 'french' is not english, binary or random");
  CHECK(refusal({"digitz", {}}) == "no built-in dataset is named 'digitz' (did you mean digits?)");
}

}  // namespace logpx::synthetic_test
