// Archives that embed the file which the adaptive coder read first: round trips with and without a
// model, damage, and too little memory.
#include "formats/archive/writer.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/sealed_archives.hpp"
#include "tools/archives/coding_model.hpp"
#include "tools/archives/listing.hpp"
#include "tools/archives/prime.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace logpx::prime_test {

using namespace logpx::archive;
using namespace logpx::compress;
using namespace logpx::testing;

namespace {

// Only a similar prime makes this text short.
ByteVector before() { return noise(3000); }
ByteVector like_it() {
  const ByteVector all = before();
  return {all.begin() + 1000, all.begin() + 1900};
}

enum class Inside { no, yes };

Coding primed(std::shared_ptr<Model> model, const ByteVector& prime, Inside inside,
              const CodingOptions& options = {}) {
  Workers workers(1);
  Coding coding = testing::coding_of(std::move(model), options, workers);
  coding.parameters.units.effort = Effort::normal;
  coding.prime = prime;
  coding.parameters.prime = sha256_hex(ByteView(prime)).substr(0, prime_digits);
  if (inside == Inside::yes) embed_prime(coding, {.methods = Methods::fallback});
  return coding;
}

Sealed sealed_with(const Coding& coding, const std::vector<ByteVector>& contents, int threads = 1) {
  Workers workers(threads);
  Sealed sealed{.bytes = {}, .contents = contents, .model = nullptr, .figures = {}};
  std::vector<MemoryFile> files;
  for (const ByteVector& bytes : contents)
    files.push_back({"file" + std::to_string(files.size()), bytes});
  sealed.bytes = testing::make_archive(coding, files, Methods::model, workers, &sealed.figures);
  return sealed;
}

ByteSupply supply_of(ByteView bytes) {
  return [left = bytes](std::span<std::byte> out) mutable {
    const std::size_t count = std::min(out.size(), left.size());
    std::copy_n(left.begin(), count, out.begin());
    left = left.subspan(count);
    return count;
  };
}

std::string refusal(const Sealed& sealed) {
  try {
    (void)opened(sealed, sealed.bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  FAIL("an archive that is wrong was opened");
  return {};
}

}  // namespace

TEST_CASE("prime: an archive that brings it along is decoded by itself") {
  const std::vector<ByteVector> contents = {like_it(), words(300), {}, like_it()};
  const Coding coding = primed(nullptr, before(), Inside::yes);
  const Sealed sealed = sealed_with(coding, contents);
  CHECK(sealed_with(coding, contents, 3).bytes == sealed.bytes);
  CHECK(fate_of(sealed, sealed.bytes) == Fate::same);
  const Sealed named = sealed_with(primed(nullptr, before(), Inside::no), contents);
  CHECK(named.bytes.size() + 3000 < sealed.bytes.size());
  CHECK(refusal(named).find("was coded after a file or folder of SHA-256") != std::string::npos);
  // Each of several archives in one file has its own prime.
  ByteVector both = sealed.bytes;
  const ByteVector other = words(3000), text = words(200);
  const Sealed second = sealed_with(primed(nullptr, other, Inside::yes), {text});
  both.insert(both.end(), second.bytes.begin(), second.bytes.end());
  both.insert(both.end(), sealed.bytes.begin(), sealed.bytes.end());
  std::vector<ByteVector> all = contents;
  all.push_back(text);
  all.insert(all.end(), contents.begin(), contents.end());
  CHECK(opened(sealed, both) == all);
  Workers workers(1);
  const auto second_of_all = [](const Member&, std::uint64_t number) { return number == 5; };
  CHECK(testing::open_archive(both, nullptr, workers, ~0ull, second_of_all) ==
        std::vector<ByteVector>{text});
}

TEST_CASE("prime: of a folder the last 16 MiB are read, by names as bytes and through folders") {
  const ScratchFolder folder;
  const auto put = [&](const std::string& name, ByteView bytes) {
    std::ofstream out(folder / name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  };
  std::filesystem::create_directories(folder / "b/c");
  put("a", from_text("1"));
  put("b/c/x", from_text("2"));
  put("b/d", from_text("3"));
  put("b.txt", from_text("4"));
  put("B", from_text("0"));
  put("empty", {});
  std::filesystem::create_symlink(folder / "a", folder / "z");
  CHECK(read_prime(folder / "") == from_text("01234"));
  // One byte of b.txt is left where the last file has a byte less than may be read.
  put("b.txt", from_text("45"));
  put("c", ByteVector(max_prime_bytes - 1));
  const ByteVector read = read_prime(folder / "");
  CHECK(read.size() == max_prime_bytes);
  CHECK(read.front() == std::byte{'5'});
  CHECK(read.back() == std::byte{0});
}

TEST_CASE("prime: it is coded where that is shorter, and stored where it is not") {
  const Coding noisy = primed(nullptr, before(), Inside::yes),
               wordy = primed(nullptr, words(3000), Inside::yes);
  REQUIRE(noisy.embedded_prime);
  CHECK(noisy.embedded_prime->coder == archive::BlockCoder::stored);
  CHECK(wordy.embedded_prime->coder == archive::BlockCoder::adaptive);
  CHECK(wordy.embedded_prime->payload.size() < 1500);
  const Sealed sealed = sealed_with(wordy, {words(500)});
  const Listing listing = list_archive(supply_of(sealed.bytes));
  CHECK(listing.parts.front().prime_bytes == 3000);
  CHECK(listing.parts.front().coded_prime_bytes == wordy.embedded_prime->payload.size());
  CHECK(listing.text("a.lpx", Detail::full).find("\n  prime of 3000 bytes (embedded, ") !=
        std::string::npos);
}

TEST_CASE("prime: a model and what is read first may both lie in the archive") {
  const auto vae = toy_vae();
  CodingOptions options;
  options.embed_model = true;
  const Coding coding = primed(vae, before(), Inside::yes, options);
  const Sealed sealed = sealed_with(coding, {drawn_bits(*vae, 800), like_it()});
  REQUIRE(sealed.figures.blocks_of_model() > 0);
  CHECK(fate_of(sealed, sealed.bytes) == Fate::same);
  std::vector<std::size_t> kinds;
  ArchiveReader reader(supply_of(sealed.bytes));
  for (int i = 0; i < 3; ++i) kinds.push_back(reader.next()->index());
  CHECK(kinds == std::vector<std::size_t>{Item(ArchiveHeader()).index(),
                                          Item(EmbeddedPrime()).index(),
                                          Item(EmbeddedModel()).index()});
}

TEST_CASE("prime: every flipped bit and every truncation of an archive with it is refused") {
  const ByteVector all = noise(60), part(all.begin() + 20, all.begin() + 50);
  const Sealed sealed = sealed_with(primed(nullptr, all, Inside::yes), {part});
  REQUIRE(fate_of(sealed, sealed.bytes) == Fate::same);
  for (std::size_t bit = 0; bit < sealed.bytes.size() * 8; ++bit) {
    ByteVector bytes = sealed.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CAPTURE(bit);
    CHECK(fate_of(sealed, bytes) == Fate::refused);
  }
  for (std::size_t size = 0; size < sealed.bytes.size(); ++size)
    CHECK(fate_of(sealed, ByteView(sealed.bytes).first(size)) == Fate::refused);
}

TEST_CASE("prime: another one than the header names is refused, and one that it does not name") {
  Coding other = primed(nullptr, before(), Inside::yes);
  other.embedded_prime = primed(nullptr, words(3000), Inside::yes).embedded_prime;
  CHECK(refusal(sealed_with(other, {like_it()})) ==
        "embedded prime: is not the one that the header names");
  Coding unnamed = primed(nullptr, before(), Inside::yes);
  unnamed.parameters.prime.clear();
  CHECK(refusal(sealed_with(unnamed, {like_it()})) ==
        "embedded prime: is not the one that the header names");
}

TEST_CASE("prime: what no encoder codes is refused though its record is whole") {
  const Coding good = primed(nullptr, words(400), Inside::yes);
  REQUIRE(good.embedded_prime->coder == archive::BlockCoder::adaptive);
  const auto refused = [&](const auto& change) {
    Coding bad = primed(nullptr, words(400), Inside::no);
    bad.embedded_prime = good.embedded_prime;
    change(*bad.embedded_prime);
    const std::string text = refusal(sealed_with(bad, {}));
    CHECK(text.starts_with("embedded prime: "));
    return text;
  };
  const std::string differs = "embedded prime: content checksum differs: the archive is damaged";
  for (std::size_t bit = 0; bit < 8 * good.embedded_prime->payload.size(); bit += 23) {
    CAPTURE(bit);
    CHECK(refused([&](Block& block) {
            block.payload[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
          }) == differs);
  }
  CHECK(refused([](Block& block) { block.raw_bytes -= 1; }) == differs);
  CHECK(refused([](Block& block) { block.payload.resize(2); }) == differs);
  (void)refused([](Block& block) { block.coder = archive::BlockCoder::fallback; });
  (void)refused([](Block& block) { block.coder = archive::BlockCoder::stored; });
  (void)refused([](Block& block) { block.coder = archive::BlockCoder::model; });
  (void)refused([](Block& block) { block.two_levels = true; });
  (void)refused([](Block& block) { block.form.row = 401; });
}

TEST_CASE("prime: it is read once, and beyond that 1 MiB and 64 times the content, since 2.6") {
  constexpr std::uint64_t mib = 1 << 20;
  PrimeLimit limit(8 * mib, 6);
  CHECK(limit.next(100));
  CHECK_FALSE(limit.next(100));
  CHECK_FALSE(limit.next(15 * mib / 64 - 201));  // 24 MiB, where 24 MiB are allowed but 64 bytes
  CHECK_FALSE(limit.next(8 * mib / 64));
  CHECK(limit.next(8 * mib / 64 + 1));
  PrimeLimit short_one(mib / 4, 6);
  for (int i = 0; i < 5; ++i) CHECK(short_one.next(0));
  CHECK_FALSE(short_one.next(0));
  PrimeLimit none(0, 6);
  for (int i = 0; i < 1000; ++i) CHECK(none.next(0));
  // What encoders made before goes on being read, as many blocks as they may have made of it.
  PrimeLimit before(16 * mib, 5);
  for (int i = 0; i < 20; ++i) CHECK(before.next(0));
  CHECK_FALSE(before.next(0));
  for (int i = 0; i < 20; ++i) CHECK(before.next(16'384 + (i == 0 ? 16'384 : 0)));
}

TEST_CASE("prime: a block that may not read it does without") {
  CodingUnits units;
  units.effort = Effort::normal;
  const ByteVector prime = before();
  const compress::BlockCoder coder({.prime = prime}, units);
  BlockView view = view_of_bytes(like_it().size());
  BlockFigures figures;
  const Block primed = coder.encode(like_it(), view, 0, figures);
  CHECK(primed.form.reads_before);
  view.may_read_prime = false;
  const Block alone = coder.encode(like_it(), view, 0, figures);
  CHECK_FALSE(alone.form.reads_before);
  CHECK(alone.payload.size() > primed.payload.size());
  CHECK(coder.decode(alone, view, 0) == like_it());
}

// Twenty runs of a few bytes, which all read a prime of 9 MiB. None of them is decoded.
TEST_CASE("prime: an archive that reads it too often is refused before that is done") {
  ByteVector bytes;
  ArchiveWriter out([&](ByteView part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  Coding coding = primed(nullptr, ByteVector(9 << 20), Inside::no);
  ArchiveHeader header = coding.header();
  header.embeds_prime = true;
  out.header(header);
  const auto stored = [](const ByteVector& content) {
    Block block;
    block.payload = content;
    block.raw_bytes = block.items = static_cast<std::uint32_t>(content.size());
    block.raw_crc = crc32_of(content);
    return block;
  };
  out.prime(stored(coding.prime));
  for (std::uint64_t i = 0; i < 20; ++i) {
    Run run{.first = i, .carried = {}, .entries = {}};
    run.entries.push_back(
        {.member = {.mode = {}, .size = {}, .name = "a", .meta = {}}, .content = 300});
    out.run(stored(serialise(run)));
    Block block = stored(words(300));
    block.coder = archive::BlockCoder::adaptive;
    block.form = {.kind = text_block, .reads_before = true};
    out.block(block);
  }
  Workers workers(1);
  const auto none = [](const Member&, std::uint64_t) { return false; };
  CHECK_THROWS_WITH_AS((void)testing::open_archive(bytes, nullptr, workers, ~0ull, none),
                       "block 2: reads its prime more often than an archive may", Error);
}

TEST_CASE("prime: one that takes more memory than allowed is refused before it is decoded") {
  class Nothing final : public MemberSink {
    void begin(const Member&, std::uint64_t) override {}
    void write(ByteView) override {}
    void end(const Member&) override {}
  };
  const auto fate = [](const Sealed& sealed, std::uint64_t memory) {
    Workers workers(1);
    Nothing sink;
    ModelFinder finder({}, workers);
    OpenerSettings settings;
    settings.memory = memory;
    settings.coding = [&](const ArchiveHeader& header, const Enclosed& enclosed) {
      return finder.coding_for(header, enclosed);
    };
    ArchiveOpener opener(settings, workers, supply_of(sealed.bytes), sink);
    try {
      opener.run();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::refused);
      return std::string(error.what());
    }
    return std::string("good");
  };
  const Sealed stored = sealed_with(primed(nullptr, before(), Inside::yes), {}),
               coded = sealed_with(primed(nullptr, words(3000), Inside::yes), {});
  CHECK(fate(stored, 3000) == "good");
  CHECK(fate(stored, 2999).starts_with("brings a prime of "));
  CHECK(fate(coded, 1 << 24) == "good");
  CHECK(fate(coded, 1 << 20).starts_with("a block takes "));
}

}  // namespace logpx::prime_test
