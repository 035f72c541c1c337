// Archives of sets: in memory, and some that were made earlier on another machine.
#include "formats/archive/reader.hpp"
#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/mol/canonical.hpp"
#include "tests/support/molecule_orders.hpp"
#include "tests/support/sealed_archives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace logpx::set_archives_test {

using namespace logpx::archive;
using namespace logpx::compress;
using namespace logpx::testing;

namespace {

constexpr std::int64_t most_atoms = 4;

// The same header of another version, its sum set right.
ByteVector with_minor(ByteVector bytes, std::uint8_t minor) {
  bytes[10] = std::byte{minor};
  WireReader in(ByteView(bytes).subspan(14), "");
  const std::size_t end = 16 + 32 + std::size_t{in.u16()};
  const ByteVector sum = WireWriter().u32(crc32_of(ByteView(bytes).first(end))).bytes();
  std::ranges::copy(sum, bytes.begin() + static_cast<std::ptrdiff_t>(end));
  return bytes;
}

// log2 of N! over m! of every picture.
double log2_orders(const ByteVector& file) {
  std::map<ByteVector, double> counts;
  for (auto at = file.begin() + 16; at != file.end(); at += 16) ++counts[ByteVector(at, at + 16)];
  double nats = std::lgamma(static_cast<double>(file.size() - 16) / 16 + 1);
  for (const auto& [picture, count] : counts) nats -= std::lgamma(count + 1);
  return nats / std::log(2.0);
}

std::string trouble_of(const Sealed& sealed, const ByteVector& bytes) {
  try {
    (void)opened(sealed, bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.message();
  }
  return "";
}

// An IDX file of canonical molecules, ascending.
ByteVector molecules_as_set(int count) {
  DrawCursor draws(Rng(13).stream(Stream::test));
  std::vector<std::vector<std::uint8_t>> rows;
  for (int i = 0; i < count; ++i) {
    const Molecule molecule = molecule_orders::drawn_molecule(1 + i % most_atoms, draws);
    rows.emplace_back(static_cast<std::size_t>(dims_of_atoms(most_atoms)));
    store_molecule(canonical(molecule), rows.back());
  }
  std::ranges::sort(rows);
  ByteVector file =
      array_header(MemberKind::idx, std::vector<std::int64_t>{count, 1, dims_of_atoms(most_atoms)});
  for (const auto& row : rows)
    for (const std::uint8_t part : row) file.push_back(std::byte{part});
  return file;
}

}  // namespace

TEST_CASE("compress: a set comes back, in one block or several, whatever the threads") {
  const auto vae = toy_vae();
  const ByteVector file = sorted_bits(*vae, 700);
  CodingOptions small = as_set();
  small.block_items = 100;
  const CodingOptions whole = as_set();
  for (const CodingOptions* const options : {&whole, &std::as_const(small)}) {
    const Sealed one = seal(vae, {file}, Methods::model_only, 1, *options);
    const Sealed four = seal(vae, {file}, Methods::model_only, 4, *options);
    CHECK(one.bytes == four.bytes);
    CHECK(opened(one, one.bytes, 4) == one.contents);
    CHECK(one.figures.coders[2].blocks == (options == &whole ? 1 : 7));
    CHECK((one.figures.paid_order_bits > 0) == (options == &small));
  }
}

TEST_CASE("compress: a set takes what its rows do, less what their order gives back") {
  const auto vae = toy_vae();
  const ByteVector file = sorted_bits(*vae, 300);
  CodingOptions small = as_set();
  small.block_items = 50;
  const auto figures_of = [&](const CodingOptions& options) {
    return seal(vae, {file}, Methods::model_only, 1, options).figures;
  };
  const Figures whole = figures_of(as_set()), cut = figures_of(small), list = figures_of({});
  const double order = -whole.costs.of(codec::Part::order),
               in_blocks = -cut.costs.of(codec::Part::order);
  CHECK(order == doctest::Approx(log2_orders(file)).epsilon(1e-6));
  CHECK(whole.costs.total() == doctest::Approx(list.costs.total() - order).epsilon(0.05));
  // What blocks pay for is stated as though no picture came twice.
  CHECK(whole.paid_order_bits == 0);
  CHECK(in_blocks < order);
  CHECK(in_blocks + cut.paid_order_bits >= order);
}

TEST_CASE("compress: rows that are no set are not coded as one, and come back all the same") {
  const auto vae = toy_vae();
  const Sealed sealed = seal(vae, {drawn_bits(*vae, 150)}, Methods::model_only, 1, as_set());
  CHECK(sealed.figures.blocks_of_model() == 0);
  CHECK(opened(sealed, sealed.bytes) == sealed.contents);
}

TEST_CASE("compress: version 2.4 has no sets, and nothing without a model has") {
  const auto vae = toy_vae();
  const Sealed set = seal(vae, {sorted_bits(*vae, 60)}, Methods::model_only, 1, as_set());
  CHECK(trouble_of(set, with_minor(set.bytes, 4)) == "has flags that are not known here");
  const ByteVector plain = seal(nullptr, {words(100)}, Methods::fallback).bytes;
  ByteVector flagged = plain;
  flagged[10] = std::byte{5};
  flagged[12] |= std::byte{32};
  const ByteVector sum = WireWriter().u32(crc32_of(ByteView(flagged).first(16))).bytes();
  std::ranges::copy(sum, flagged.begin() + 16);
  CHECK(trouble_of(set, flagged) == "has flags that are not known here");
}

TEST_CASE("compress: a damaged set of molecules is refused, whatever its coder reads") {
  const std::shared_ptr<Model> model =
      molecule_orders::drawn_model(molecule_orders::tiny_config(), most_atoms);
  const Sealed sealed = seal(model, {molecules_as_set(40)}, Methods::model_only, 1, as_set());
  REQUIRE(sealed.figures.blocks_of_model() == 1);
  REQUIRE(fate_of(sealed, sealed.bytes) == Fate::same);
  const std::size_t bits = sealed.bytes.size() * 8;
  for (std::size_t bit = 0; bit < bits; bit += 1 + bits / 400) {
    ByteVector bytes = sealed.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CHECK(fate_of(sealed, bytes) == Fate::refused);
  }
}

// Its sums do not tell the coder that words are wrong.
TEST_CASE("compress: a set of molecules is read from any words, or refused") {
  Workers workers(1);
  const std::shared_ptr<Model> model =
      molecule_orders::drawn_model(molecule_orders::tiny_config(), most_atoms);
  const Coding coding = testing::coding_of(model, as_set(), workers);
  const std::size_t size = coding.scheme->item_size(), count = 6;
  const Substream words = Rng(14).stream(Stream::test);
  for (std::uint32_t round = 0; round < 60; ++round) {
    codec::Message message;
    for (std::uint32_t i = 0; i < 100; ++i)
      message.push_bits(words.word(100 * round + i) >> 16, 16);
    codec::Message read = codec::Message::parse(message.serialise(), 1);
    std::vector<std::uint8_t> rows(count * size);
    try {
      coding.scheme->decode(read, rows, 0);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      continue;
    }
    codec::Costs costs;
    coding.scheme->encode(read, rows, 0, costs);
    CHECK(read.words() == message.words());
    CHECK(read.state() == message.state());
  }
}

// Written on x86-64 by tests/archives/set/make.
TEST_CASE("compress: archives of sets are opened on every machine") {
  std::istringstream sums(read_text_file(stored_archive("set/sha256")));
  int opened = 0;
  for (std::string hash, name; sums >> hash >> name; ++opened)
    CHECK(hash_of_stored("set/" + name + ".lpx") == hash);
  CHECK(opened == 2);
}

}  // namespace logpx::set_archives_test
