// Whole archives in memory: every coder, every kind of damage.
#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/sealed_archives.hpp"
#include "tools/archives/coding_model.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace logpx::archive_test {

using namespace logpx::archive;
using namespace logpx::compress;
using namespace logpx::testing;

namespace {

std::vector<Sealed> one_of_each() {
  const auto vae = toy_vae();
  std::vector<Sealed> all;
  all.push_back(seal(nullptr, {noise(40), {}, from_text("x")}, Methods::store));
  all.push_back(seal(nullptr, {words(300)}, Methods::fallback));
  all.push_back(seal(vae, {drawn_bits(*vae, 150)}));
  all.push_back(seal(text_model(), {words(400), from_text("a cat"), words(90)}));
  all.push_back(seal(vae, {sorted_bits(*vae, 150)}, Methods::model, 1, as_set()));
  return all;
}

}  // namespace

TEST_CASE("compress: what goes in comes out by every coder and at any number of threads") {
  const auto vae = toy_vae();
  const auto text = text_model();
  ByteVector strange = words(30000);
  strange[777] = std::byte{'!'};
  const std::vector<ByteVector> files = {
      {},      from_text("x"),        noise(100'000),        words(30'000),
      strange, ByteVector(1'500'000), drawn_bits(*vae, 5000)};
  CodingOptions small;
  small.block_items = 100;
  for (const auto& model : std::vector<std::shared_ptr<Model>>{nullptr, vae, text})
    for (const Methods methods : {Methods::store, Methods::fallback, Methods::model}) {
      const Sealed one = seal(model, files, methods, 1, small);
      const Sealed four = seal(model, files, methods, 4, small);
      CHECK(one.bytes == four.bytes);
      CHECK(opened(one, one.bytes, 1) == files);
      CHECK(opened(one, one.bytes, 4) == files);
      std::size_t raw = 0;
      for (const ByteVector& file : files) raw += file.size();
      const std::uint64_t blocks = one.figures.coders[0].blocks + one.figures.coders[1].blocks +
                                   one.figures.coders[2].blocks;
      CHECK(one.bytes.size() <= raw + 500 + 30 * files.size() + 40 * blocks);
    }
}

TEST_CASE("compress: a model that fits codes and pays little for its start") {
  const auto vae = toy_vae();
  const ByteVector bits = drawn_bits(*vae, 4000);
  const Sealed by_model = seal(vae, {bits});
  const Sealed by_fallback = seal(nullptr, {bits}, Methods::fallback);
  CHECK(by_model.figures.coders[2].blocks > 0);
  CHECK(by_model.bytes.size() < by_fallback.bytes.size());
  CHECK(by_model.figures.items == 4000);
  const double coded = 8.0 * static_cast<double>(by_model.figures.coders[2].coded_bytes);
  const double initial = 32.0 * static_cast<double>(by_model.figures.borrowed_words);
  // The parts add up to the length, with borrowed bits and one state per block on top.
  CHECK(coded == doctest::Approx(by_model.figures.costs.total() + initial).epsilon(0.02));
}

TEST_CASE("compress: the bound of an archive is that of its items by their numbers") {
  Workers workers(2);
  const auto vae = toy_vae();
  const ByteVector file = drawn_bits(*vae, 1300);  // blocks of 512, 512 and 276
  const Coding coding = testing::coding_of(vae, {}, workers);
  for (const std::size_t first : {0u, 512u, 1024u}) {
    const std::size_t count = std::min<std::size_t>(512, 1300 - first);
    const compress::BlockCoder coder({.scheme = coding.scheme.get(), .score = Score::on},
                                     coding.parameters.units);
    const BlockView view{.bytes = static_cast<std::uint32_t>(count * 16),
                         .items = static_cast<std::uint32_t>(count),
                         .for_model = true,
                         .rasters = {{{4, 4, 1}, 0}}};
    const auto bytes = ByteView(file).last(1300 * 16).subspan(first * 16, count * 16);
    BlockFigures figures;
    (void)coder.encode(bytes, view, first / 512, figures);
    const auto* values = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::vector<double> nats(count);
    coding.scheme->score({values, bytes.size()}, Rng(1), static_cast<std::uint32_t>(first), nats);
    const double bound = -std::accumulate(nats.begin(), nats.end(), 0.0) / std::log(2.0);
    CHECK(figures.bound_bits == doctest::Approx(bound).epsilon(1e-12));
  }
}

TEST_CASE("compress: few items borrow and more are seeded by the fallback coder") {
  const auto vae = toy_vae();
  const Sealed few = seal(vae, {drawn_bits(*vae, 60)});
  const Sealed many = seal(vae, {drawn_bits(*vae, 512)});
  CHECK(few.figures.borrowed_words + few.figures.bootstrap_items + many.figures.bootstrap_items >
        0);
  CHECK(opened(few, few.bytes) == few.contents);
  CHECK(opened(many, many.bytes) == many.contents);
}

TEST_CASE("compress: every flipped bit is refused") {
  for (const Sealed& sealed : one_of_each()) {
    REQUIRE(fate_of(sealed, sealed.bytes) == Fate::same);
    for (std::size_t bit = 0; bit < sealed.bytes.size() * 8; bit += testing::step_of_many) {
      ByteVector bytes = sealed.bytes;
      bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      CAPTURE(bit);
      CHECK(fate_of(sealed, bytes) == Fate::refused);
    }
  }
}

TEST_CASE("compress: every truncation is refused") {
  for (const Sealed& sealed : one_of_each())
    for (std::size_t size = 0; size < sealed.bytes.size(); size += testing::step_of_many) {
      CAPTURE(size);
      CHECK(fate_of(sealed, ByteView(sealed.bytes).first(size)) == Fate::refused);
    }
}

namespace {

// Where the records of an archive begin, its end last, and what lies in each.
struct Places {
  std::vector<std::size_t> at{0}, payload{0};
};
Places record_places(ByteView bytes) {
  Places places;
  WireReader header(bytes.subspan(12), "header");
  const std::size_t identity = header.u8() == 0 ? 0 : 32;
  (void)header.u8();
  std::size_t at = 20 + identity + header.u16();
  while (at < bytes.size()) {
    WireReader head(bytes.subspan(at + 1), "record");
    const std::size_t size = head.varint(), begin = bytes.size() - head.rest().size();
    places.at.push_back(at);
    places.payload.push_back(begin);
    at = begin + size + 4;
  }
  places.at.push_back(bytes.size());
  return places;
}

ByteVector in_order(ByteView bytes, const std::vector<std::size_t>& places,
                    const std::vector<std::size_t>& order) {
  ByteVector out;
  for (const std::size_t i : order) {
    const ByteView part = bytes.subspan(places[i], places[i + 1] - places[i]);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

}  // namespace

TEST_CASE("compress: records swapped or doubled or dropped are refused") {
  CodingOptions small;
  small.block_items = 40;
  const auto vae = toy_vae();
  const Sealed sealed = seal(vae, {drawn_bits(*vae, 330), words(30)}, Methods::model, 1, small);
  const auto places = record_places(sealed.bytes).at;
  std::vector<std::size_t> order(places.size() - 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  REQUIRE(order.size() > 9);
  REQUIRE(fate_of(sealed, in_order(sealed.bytes, places, order)) == Fate::same);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<std::size_t> dropped = order, doubled = order;
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(i));
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), i);
    CHECK(fate_of(sealed, in_order(sealed.bytes, places, dropped)) == Fate::refused);
    CHECK(fate_of(sealed, in_order(sealed.bytes, places, doubled)) == Fate::refused);
    for (std::size_t j = 0; j < i; ++j) {
      std::vector<std::size_t> swapped = order;
      std::swap(swapped[i], swapped[j]);
      CHECK(fate_of(sealed, in_order(sealed.bytes, places, swapped)) == Fate::refused);
    }
  }
}

TEST_CASE("compress: damage behind mended checksums is still found") {
  for (const Sealed& sealed : one_of_each()) {
    const auto places = record_places(sealed.bytes);
    for (std::size_t r = 1; r + 1 < places.at.size(); ++r) {
      const std::size_t head = places.at[r], begin = places.payload[r], end = places.at[r + 1] - 4;
      for (std::size_t at = begin; at < end; ++at) {
        ByteVector bytes = sealed.bytes;
        bytes[at] ^= std::byte{0x21};
        const std::uint32_t crc = crc32_of(ByteView(bytes).subspan(head, end - head));
        for (std::size_t i = 0; i < 4; ++i) bytes[end + i] = static_cast<std::byte>(crc >> (8 * i));
        CAPTURE(at);
        CHECK(fate_of(sealed, bytes) == Fate::refused);
      }
    }
  }
}

// The project promises 100,000 of them: LOGPX_CORRUPTIONS=100000.
TEST_CASE("compress: single bits flipped anywhere in larger archives never give wrong content") {
  const char* set = std::getenv("LOGPX_CORRUPTIONS");
  const std::size_t count = set != nullptr ? std::strtoull(set, nullptr, 10) : 600;
  const auto vae = toy_vae();
  std::vector<Sealed> archives;
  archives.push_back(seal(nullptr, {noise(3000)}, Methods::store));
  archives.push_back(seal(nullptr, {words(6000), noise(500)}, Methods::fallback));
  archives.push_back(seal(vae, {drawn_bits(*vae, 600)}));
  archives.push_back(seal(vae, many_files(80)));
  std::size_t refused = 0, same = 0, wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Sealed& sealed = archives[i % archives.size()];
    const Substream draws = Rng(99).stream(Stream::noise, static_cast<std::uint32_t>(i));
    const std::size_t bit = draws.word(0) % (sealed.bytes.size() * 8);
    ByteVector bytes = sealed.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    switch (fate_of(sealed, bytes)) {
      case Fate::refused: ++refused; break;
      case Fate::same: ++same; break;
      case Fate::wrong: ++wrong; break;
    }
  }
  MESSAGE(count << " flips: " << refused << " refused, " << same << " harmless, " << wrong
                << " wrong");
  CHECK(wrong == 0);
  CHECK(refused + same == count);
}

TEST_CASE("compress: a model whose weight moved by one ulp is refused") {
  const auto vae = toy_vae();
  Sealed sealed = seal(vae, {drawn_bits(*vae, 50)});
  const auto other = toy_vae();
  other->params([](const TensorRef& tensor, TensorRole) {
    if (tensor.name != "dec/c2") return;
    auto* const values = reinterpret_cast<float*>(tensor.bytes.data());
    values[0] = std::nextafter(values[0], 10.0F);
  });
  sealed.model = other;
  CHECK(fate_of(sealed, sealed.bytes) == Fate::refused);
  sealed.model = nullptr;
  CHECK(fate_of(sealed, sealed.bytes) == Fate::refused);
}

TEST_CASE("compress: a probe that differs is refused by name") {
  const auto vae = toy_vae();
  Workers workers(1);
  Coding coding = testing::coding_of(vae, {}, workers);
  coding.parameters.probe[5] = coding.parameters.probe[5] == '0' ? '1' : '0';
  coding.parameters.host = "riscv64";
  const ByteVector bytes = testing::make_archive(coding, {}, Methods::model, workers);
  try {
    (void)testing::open_archive(bytes, vae, workers);
    FAIL("was opened");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.message().find("riscv64") != std::string::npos);
  }
}

TEST_CASE("compress: an embedded model decodes by itself and rounds where that pays") {
  const auto vae = toy_vae();
  CodingOptions options;
  options.embed_model = true;
  Sealed sealed = seal(vae, {drawn_bits(*vae, 800)}, Methods::model, 1, options);
  sealed.model = nullptr;
  CHECK(fate_of(sealed, sealed.bytes) == Fate::same);
  Workers workers(1);
  const Coding coding = testing::coding_of(vae, options, workers);
  CHECK(coding.identity != identity_of(*vae));  // the rounded weights are another model
  for (std::size_t bit = 0; bit < 8 * 600; bit += 7) {
    ByteVector bytes = sealed.bytes;
    bytes[250 + bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CHECK(fate_of(sealed, bytes) == Fate::refused);
  }
}

TEST_CASE("compress: more output than allowed stops the decoder") {
  const Sealed sealed = seal(nullptr, {ByteVector(3'000'000)}, Methods::fallback);
  CHECK(sealed.bytes.size() < 10'000);
  Workers workers(1);
  CHECK(testing::open_archive(sealed.bytes, nullptr, workers, 3'000'000).size() == 1);
  CHECK_THROWS_AS((void)testing::open_archive(sealed.bytes, nullptr, workers, 2'999'999), Error);
}

TEST_CASE("compress: samples that the model lacks are refused with the value") {
  const auto vae = toy_vae();
  ByteVector file = drawn_bits(*vae, 20);
  file[16 + 100] = std::byte{7};
  try {
    (void)seal(vae, {file});
    FAIL("was coded");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(std::string(error.what()).find("a sample of 7, the model knows 0 to 1") !=
          std::string::npos);
  }
}

// Written on x86-64, one of them by a model: on another machine this proves the coder.
TEST_CASE("compress: the seeds of the fuzzer are opened or refused") {
  const auto vae = toy_vae();
  Workers workers(1);
  std::size_t good = 0, refused = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(LOGPX_SOURCE_DIR "/tests/fuzz/corpus/archive")) {
    const std::string text = read_text_file(entry.path().string());
    try {
      (void)testing::open_archive(bytes_of(text), vae, workers, 64u << 20);
      ++good;
    } catch (const Error&) {
      ++refused;
    }
  }
  // Stored, fallback, model, embedded, two in one, many members, a prime, a set; and one cut short.
  CHECK(good == 8);
  CHECK(refused == 1);
}

}  // namespace logpx::archive_test
