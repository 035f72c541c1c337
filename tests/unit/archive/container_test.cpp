#include "formats/archive/identity.hpp"
#include "formats/archive/reader.hpp"
#include "formats/archive/writer.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace logpx::container_test {

using namespace logpx::archive;

namespace {

ByteVector text_bytes(std::string_view text) {
  const ByteView view = bytes_of(text);
  return {view.begin(), view.end()};
}

Block stored(std::string_view text) {
  Block block;
  block.payload = text_bytes(text);
  block.raw_bytes = block.items = static_cast<std::uint32_t>(text.size());
  block.raw_crc = crc32_of(block.payload);
  return block;
}

// An archive, and where its pieces begin.
struct Built {
  ByteVector bytes;
  std::vector<std::size_t> at;
};

Built build(const std::vector<std::function<void(ArchiveWriter&)>>& steps) {
  Built built;
  ArchiveWriter out(
      [&](ByteView part) { built.bytes.insert(built.bytes.end(), part.begin(), part.end()); });
  for (const auto& step : steps) {
    built.at.push_back(built.bytes.size());
    step(out);
  }
  built.at.push_back(built.bytes.size());
  return built;
}

// The container does not look at its content: any bytes serve as a table.
Built two_runs() {
  return build(
      {[](ArchiveWriter& out) { out.header({.parameters = Json::object().set("codec", "none")}); },
       [](ArchiveWriter& out) { out.run(stored("a table")); },
       [](ArchiveWriter& out) { out.block(stored("first")); },
       [](ArchiveWriter& out) { out.block(stored("second block")); },
       [](ArchiveWriter& out) { out.run(stored("another")); },
       [](ArchiveWriter& out) { out.finish({.members = 3, .sha256 = sha256_hex("all")}); }});
}

Block coded_prime(std::uint32_t size) {
  Block block = stored("what is read first");
  block.coder = BlockCoder::adaptive;
  block.form.kind = text_block;
  block.raw_bytes = block.items = size;
  return block;
}

// An archive that embeds a prime and a model.
Built with_prime(std::uint32_t size = 40) {
  return build(
      {[](ArchiveWriter& out) {
         out.header({.effort = Effort::normal,
                     .model = ModelUse::embedded,
                     .embeds_prime = true,
                     .model_identity = std::string(64, 'a')});
       },
       [&](ArchiveWriter& out) { out.prime(coded_prime(size)); },
       [](ArchiveWriter& out) { out.model(bytes_of("a model")); },
       [](ArchiveWriter& out) { out.run(stored("a table")); },
       [](ArchiveWriter& out) { out.block(stored("first")); },
       [](ArchiveWriter& out) { out.finish({.members = 1, .sha256 = sha256_hex("all")}); }});
}

std::vector<Item> read_all(ByteView bytes) {
  ArchiveReader in([&](std::span<std::byte> out) {
    const std::size_t count = std::min(out.size(), bytes.size());
    std::copy_n(bytes.begin(), count, out.begin());
    bytes = bytes.subspan(count);
    return count;
  });
  std::vector<Item> items;
  while (auto item = in.next()) items.push_back(std::move(*item));
  return items;
}

// The error that reading gives; fails the test when there is none or it is of another kind.
std::string refusal(ByteView bytes) {
  try {
    (void)read_all(bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  FAIL("an archive that is wrong was read");
  return {};
}

ByteVector pieces(const Built& built, const std::vector<std::size_t>& order) {
  ByteVector bytes;
  for (const std::size_t i : order)
    bytes.insert(bytes.end(), built.bytes.begin() + static_cast<std::ptrdiff_t>(built.at[i]),
                 built.bytes.begin() + static_cast<std::ptrdiff_t>(built.at[i + 1]));
  return bytes;
}

// With its checksum set right.
ByteVector header_changed(const Built& built, std::size_t at, int value) {
  ByteVector bytes = built.bytes;
  bytes[at] = static_cast<std::byte>(value);
  const std::size_t end = built.at[1] - 4;
  const std::uint32_t crc = crc32_of(ByteView(bytes).first(end));
  for (std::size_t i = 0; i < 4; ++i) bytes[end + i] = static_cast<std::byte>(crc >> (8 * i));
  return bytes;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("golden/coding/model_id") {
  const Json* golden = golden::field("coding", "model_id");
  if (golden == nullptr) return;
  std::vector<std::vector<float>> values;
  for (const Json& tensor : golden->at("tensors").items()) {
    values.emplace_back();
    for (const Json& value : tensor.at("values").items())
      values.back().push_back(static_cast<float>(golden::real(value)));
  }
  std::vector<TensorView> tensors;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Json& tensor = golden->at("tensors").at(i);
    h5::Shape shape;
    for (const Json& size : tensor.at("shape").items()) shape.push_back(size.integer());
    tensors.push_back(TensorView::of<float>(tensor.at("name").string(), values[i], shape));
  }
  CHECK(model_identity(golden->at("config").string(), tensors) == golden->at("sha256").string());
}

TEST_CASE("archive: the identity knows one zero and refuses weights that are not finite") {
  std::vector<float> weights{0, 1};
  const auto identity = [&] {
    return model_identity("{}", {TensorView::of<float>("w", weights, {2})});
  };
  const std::string zero = identity();
  weights[0] = -0.0F;
  CHECK(identity() == zero);
  weights[1] = std::nextafter(1.0F, 2.0F);
  CHECK(identity() != zero);
  weights[1] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_AS((void)identity(), Error);
}

TEST_CASE("archive: canonical JSON sorts keys and spells reals in hexadecimal") {
  const Json value = Json::parse(R"({"b": [1, {"z": true, "y": 0.5}], "a": "x"})", "text");
  CHECK(canonical_json(value) == R"({"a":"x","b":[1,{"y":"0x1.0000000000000p-1","z":1}]})");
  CHECK(hex_float(0) == "0x0.0p+0");
  CHECK(hex_float(-3.0) == "-0x1.8000000000000p+1");
  CHECK(hex_float(0x1p-1074) == "0x0.0000000000001p-1022");
  for (const double x : {0.1, 1e300, 1e-310, -1234.5678})
    CHECK(std::strtod(hex_float(x).c_str(), nullptr) == x);
}

TEST_CASE("archive: what was written is read back and archives may follow each other") {
  const Built built = two_runs();
  ByteVector twice = built.bytes;
  twice.insert(twice.end(), built.bytes.begin(), built.bytes.end());
  CHECK(read_all(built.bytes).size() == 6);
  const auto items = read_all(twice);
  REQUIRE(items.size() == 12);
  CHECK(std::get<ArchiveHeader>(items[6]).major == format_major);
  CHECK(std::get<CodedRun>(items[10]).table.payload == text_bytes("another"));
  CHECK(std::get<ArchiveEnd>(items[11]).members == 3);
  CHECK(std::get<ArchiveEnd>(items[11]).sha256 == sha256_hex("all").substr(0, end_digits));
}

TEST_CASE("archive: every field of a block is read back") {
  Block block = stored("a message");
  block.coder = BlockCoder::fallback;
  block.two_levels = true;
  block.lanes = 8;
  block.borrowed = 70'000;
  Block by_model = stored("another one");
  by_model.coder = BlockCoder::model;
  by_model.lanes = 2;
  by_model.bootstrap_items = 300;
  const Built built = build(
      {[](ArchiveWriter& out) { out.header({}); }, [](ArchiveWriter& out) { out.run(stored("")); },
       [&](ArchiveWriter& out) { out.block(block); },
       [&](ArchiveWriter& out) { out.block(by_model); },
       [](ArchiveWriter& out) { out.finish({.members = 0, .sha256 = sha256_hex("")}); }});
  CHECK(built.at[1] == 20);  // a header of no model and no parameters
  const auto items = read_all(built.bytes);
  const auto& first = std::get<Block>(items[2]);
  CHECK(first.two_levels);
  CHECK(first.lanes == 8);
  CHECK(first.borrowed == 70'000);
  CHECK(first.payload == block.payload);
  const auto& second = std::get<Block>(items[3]);
  CHECK(second.coder == BlockCoder::model);
  CHECK(second.bootstrap_items == 300);
  CHECK(second.lanes == 2);
}

TEST_CASE("archive: what the header promises is read back, of the newest version") {
  const auto items = read_all(with_prime().bytes);
  REQUIRE(items.size() == 6);
  const auto& header = std::get<ArchiveHeader>(items[0]);
  CHECK(header.minor == format_minor);
  CHECK(header.embeds_prime);
  CHECK(header.effort == Effort::normal);
  CHECK(header.model == ModelUse::embedded);
  const auto& prime = std::get<EmbeddedPrime>(items[1]);
  CHECK(prime.coded.coder == BlockCoder::adaptive);
  CHECK(prime.coded.raw_bytes == 40);
  CHECK(prime.coded.payload == text_bytes("what is read first"));
  CHECK(std::get<EmbeddedModel>(items[2]).bytes == text_bytes("a model"));
  const auto usual = read_all(two_runs().bytes);
  CHECK(std::get<ArchiveHeader>(usual[0]).minor == format_minor);
  CHECK_FALSE(std::get<ArchiveHeader>(usual[0]).embeds_prime);
}

TEST_CASE(
    "archive: the form of a block comes back, whether its kind is among the first eight or not") {
  const BlockSamples sound{2, 3, true, true, 70'000};
  const BlockForm forms[] = {{.kind = 1, .row = 13},
                             {.kind = 4, .row = 32, .plane = 1024, .reads_before = true},
                             {.kind = 12},
                             {.kind = samples_block, .row = 600, .samples = sound}};
  for (const BlockForm& form : forms) {
    Block block = stored("coded");
    block.coder = BlockCoder::adaptive;
    block.form = form;
    const Built built =
        build({[](ArchiveWriter& out) { out.header({.effort = Effort::normal}); },
               [](ArchiveWriter& out) { out.run(stored("")); },
               [&](ArchiveWriter& out) { out.block(block); },
               [](ArchiveWriter& out) { out.finish({.members = 0, .sha256 = sha256_hex("")}); }});
    const auto items = read_all(built.bytes);
    const Block& read = std::get<Block>(items[2]);
    CHECK(read.form == form);
    CHECK(read.payload == block.payload);
  }
}

TEST_CASE("archive: a prime that is promised stands behind the header, and no other does") {
  const Built built = with_prime(), plain = two_runs();
  REQUIRE(read_all(pieces(built, {0, 1, 2, 3, 4, 5})).size() == 6);
  CHECK(has(refusal(pieces(built, {0, 2, 1, 3, 4, 5})), "is where the prime should be"));
  CHECK(has(refusal(pieces(built, {0, 2, 3, 4, 5})), "is where the prime should be"));
  CHECK(has(refusal(pieces(built, {0, 3, 4, 5})), "is where the prime should be"));
  CHECK(has(refusal(pieces(built, {0, 1, 3, 4, 5})), "is where the model should be"));
  CHECK(has(refusal(pieces(built, {0, 1, 1, 2, 3, 4, 5})), "is a prime out of place"));
  CHECK(has(refusal(pieces(built, {0, 1, 2, 3, 1, 4, 5})), "is a prime out of place"));
  ByteVector bytes = pieces(plain, {0});
  const ByteVector prime = pieces(built, {1}), tail = pieces(plain, {1, 2, 3, 4, 5});
  bytes.insert(bytes.end(), prime.begin(), prime.end());
  bytes.insert(bytes.end(), tail.begin(), tail.end());
  CHECK(has(refusal(bytes), "is a prime out of place"));
  CHECK(has(refusal(header_changed(plain, 12, 16)), "is where the prime should be"));
  // No set without a model, and none in 2.4.
  CHECK(has(refusal(header_changed(built, 12, 32)), "flags that are not known"));
  ByteVector set = header_changed(built, 12, 2 + 4 + 16 + 32);
  CHECK(read_all(set).size() == 6);
  set = header_changed({.bytes = set, .at = built.at}, 10, 4);
  CHECK(has(refusal(set), "flags that are not known"));
  const ByteVector without = header_changed(built, 12, 2 + 4);
  CHECK(has(refusal(without), "is a prime out of place"));
}

TEST_CASE("archive: a prime of over 16 MiB is refused by its head") {
  CHECK(read_all(with_prime(max_prime_bytes).bytes).size() == 6);
  const Built built = with_prime();
  const auto with_record = [&](std::uint64_t record, std::uint64_t content) {
    ByteVector bytes = pieces(built, {0});
    WireWriter out;
    out.u8(5).varint(record).varint(content).raw(ByteVector(50));
    out.u32(crc32_of(out.bytes()));
    bytes.insert(bytes.end(), out.bytes().begin(), out.bytes().end());
    return bytes;
  };
  CHECK(has(refusal(with_record(~0ull, 40)), "declares 18446744073709551615 bytes"));
  CHECK(has(refusal(with_record((16u << 20) + 33, 40)), "declares 16777249 bytes"));
  CHECK(has(refusal(with_record(16u << 20, 40)), "is cut short"));
  CHECK(has(refusal(with_record(54, (16u << 20) + 1)), "declares over 16777216 bytes"));
}

TEST_CASE("archive: records of skippable types are passed over but their checksums count") {
  const Built built = two_runs();
  WireWriter extra;
  extra.u8(200).varint(3).text("xyz");
  extra.u32(crc32_of(extra.bytes()));
  ByteVector bytes = pieces(built, {0, 1, 2});
  const std::size_t at = bytes.size();
  bytes.insert(bytes.end(), extra.bytes().begin(), extra.bytes().end());
  const ByteVector tail = pieces(built, {3, 4, 5});
  bytes.insert(bytes.end(), tail.begin(), tail.end());
  CHECK(read_all(bytes).size() == 6);
  bytes[at + 3] ^= std::byte{1};
  CHECK(has(refusal(bytes), "checksum differs"));
}

TEST_CASE("archive: every flipped bit is noticed") {
  for (const Built& built : {two_runs(), with_prime()})
    for (std::size_t bit = 0; bit < built.bytes.size() * 8; ++bit) {
      ByteVector bytes = built.bytes;
      bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      CAPTURE(bit);
      (void)refusal(bytes);
    }
}

TEST_CASE("archive: every truncation is noticed") {
  const Built built = two_runs();
  for (std::size_t size = 0; size < built.bytes.size(); ++size) {
    CAPTURE(size);
    (void)refusal(ByteView(built.bytes).first(size));
  }
  ByteVector longer = built.bytes;
  longer.push_back(std::byte{0});
  CHECK(has(refusal(longer), "other bytes after its end"));
}

TEST_CASE("archive: records out of order are noticed") {
  const Built built = two_runs();
  REQUIRE(read_all(pieces(built, {0, 1, 2, 3, 4, 5})).size() == 6);
  // The numbers of runs and blocks follow from the tables: see the tests of decoding.
  CHECK(has(refusal(pieces(built, {0, 2, 1, 3, 4, 5})), "belongs to no member"));
  CHECK(has(refusal(pieces(built, {0, 1, 2, 3, 4})), "is cut short"));
  CHECK(has(refusal(pieces(built, {0, 1, 2, 3, 5, 4})), "other bytes after its end"));
  CHECK(has(refusal(pieces(built, {0, 0, 1, 2, 3, 4, 5})), "record after header"));
}

TEST_CASE("archive: lengths beyond the limits are refused before memory is taken") {
  const Built built = two_runs();
  const auto with_record = [&](std::size_t before, std::uint8_t type, std::uint64_t size) {
    ByteVector bytes(built.bytes.begin(),
                     built.bytes.begin() + static_cast<std::ptrdiff_t>(built.at[before]));
    WireWriter head;
    head.u8(type).varint(size);
    bytes.insert(bytes.end(), head.bytes().begin(), head.bytes().end());
    return bytes;
  };
  CHECK(has(refusal(with_record(2, 2, 0xffffffff)), "block 1: declares 4294967295 bytes"));
  CHECK(has(refusal(with_record(2, 2, ~0ull)), "block 1: declares 18446744073709551615 bytes"));
  CHECK(has(refusal(with_record(1, 1, 0xffffffff)), "declares 4294967295 bytes"));
  CHECK(has(refusal(with_record(2, 2, 16u << 20)), "block 1: is cut short"));
  CHECK(has(refusal(with_record(2, 200, ~0ull)), "is cut short"));
  CHECK(has(refusal(with_record(2, 9, 0)), "of a type that is not known here"));
}

TEST_CASE("archive: an unknown version or numerics or flag is refused by name") {
  const Built built = two_runs();
  const auto changed = [&](std::size_t at, int value) { return header_changed(built, at, value); };
  CHECK(has(refusal(changed(8, 3)), "has format version 3.6, known are 2.4 to 2.6"));
  CHECK(has(refusal(changed(10, 7)), "has format version 2.7, known are 2.4 to 2.6"));
  CHECK(has(refusal(changed(13, 2)), "numerics 2"));
  CHECK(has(refusal(changed(12, 3)), "flags that are not known"));
  CHECK(has(refusal(text_bytes("\x89LPX\n\x1a\n and more of it")), "text mode"));
  CHECK(has(refusal(text_bytes("plain words")), "not an .lpx archive"));
}

TEST_CASE(
    "archive: what was made before the first release is told apart, and of effort fast read") {
  const Built fast = two_runs(), primed = with_prime();
  const auto older = [](ByteView bytes) {
    CHECK(has(refusal(bytes), "made by a version of logpx before 0.1.0"));
  };
  older(header_changed(fast, 8, 1));
  for (const int minor : {0, 2, 3}) older(header_changed(fast, 10, minor));
  older(header_changed(primed, 10, 1));
  // Versions 2.4 and 2.5 called themselves 2.1 where nothing but the effort fast was asked for.
  for (const int minor : {1, 4, 5}) CHECK(read_all(header_changed(fast, 10, minor)).size() == 6);
  for (const int minor : {4, 5}) CHECK(read_all(header_changed(primed, 10, minor)).size() == 6);
}

TEST_CASE("archive: parameters must be canonical and shallow") {
  const auto refused = [](std::string_view text) {
    CHECK_THROWS_AS((void)parse_parameters(bytes_of(text)), Error);
  };
  for (const char* text : {"{\"b\":1,\"a\":2}", "{\"a\": 1}", "{\"a\":1.5}", "[]"}) refused(text);
  refused(std::string(40000, '['));
  CHECK(parse_parameters(bytes_of("{\"a\":\"[[[[[[[[[[\"}")).at("a").string().size() == 10);
}

}  // namespace logpx::container_test
