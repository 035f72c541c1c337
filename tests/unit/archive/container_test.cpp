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

using namespace logpx;
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

Member named(std::string name, std::string_view meta = {}) {
  Member member;
  member.name = std::move(name);
  member.meta = text_bytes(meta);
  return member;
}

Built two_members() {
  return build(
      {[](ArchiveWriter& out) { out.header({.parameters = Json::object().set("codec", "none")}); },
       [](ArchiveWriter& out) { out.begin(named("a")); },
       [](ArchiveWriter& out) { out.block(stored("first")); },
       [](ArchiveWriter& out) { out.block(stored("second block")); },
       [](ArchiveWriter& out) {
         out.end({17, sha256_hex("firstsecond block")});
       },
       [](ArchiveWriter& out) { out.begin(named("b", "head")); },
       [](ArchiveWriter& out) {
         out.end({4, sha256_hex("head")});
       },
       [](ArchiveWriter& out) { out.finish(); }});
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

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("golden/coding/container") {
  const Json* golden = golden::field("coding", "container");
  if (golden == nullptr) return;
  const std::string content = golden->at("content").string();
  Member member = named(golden->at("name").string());
  member.mode = static_cast<std::uint16_t>(golden->at("mode").integer());
  member.mtime = golden->at("mtime").integer();
  member.size = content.size();
  const Json parameters = Json::parse(golden->at("params").string(), "params");
  const Built built = build({[&](ArchiveWriter& out) { out.header({.parameters = parameters}); },
                             [&](ArchiveWriter& out) { out.begin(member); },
                             [&](ArchiveWriter& out) { out.block(stored(content)); },
                             [&](ArchiveWriter& out) {
                               out.end({content.size(), sha256_hex(content)});
                             },
                             [&](ArchiveWriter& out) { out.finish(); }});
  CHECK(hex_of(built.bytes) == golden->at("archive_hex").string());

  const auto items = read_all(bytes_of_hex(golden->at("archive_hex").string()));
  REQUIRE(items.size() == 4);
  const auto& header = std::get<ArchiveHeader>(items[0]);
  CHECK(header.model == ModelUse::none);
  CHECK(canonical_json(header.parameters) == golden->at("params").string());
  const auto& read = std::get<Member>(items[1]);
  CHECK(read.name == member.name);
  CHECK(read.mode == member.mode);
  CHECK(read.mtime == member.mtime);
  CHECK(read.size == content.size());
  CHECK(std::get<Block>(items[2]).payload == text_bytes(content));
  CHECK(std::get<MemberEnd>(items[3]).sha256 == sha256_hex(content));
}

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
  const Built built = two_members();
  ByteVector twice = built.bytes;
  twice.insert(twice.end(), built.bytes.begin(), built.bytes.end());
  CHECK(read_all(built.bytes).size() == 7);
  const auto items = read_all(twice);
  REQUIRE(items.size() == 14);
  CHECK(std::get<Member>(items[12]).meta == text_bytes("head"));
}

TEST_CASE("archive: records of skippable types are passed over but their checksums count") {
  const Built built = two_members();
  WireWriter extra;
  extra.u8(200).u8(0).u16(0).u32(3);
  extra.u32(crc32_of(extra.bytes())).text("xyz").u32(crc32_of(bytes_of("xyz")));
  // Before the index every offset behind it would move; after the last member none does.
  ByteVector bytes = pieces(built, {0, 1, 2, 3, 4, 5, 6});
  bytes.insert(bytes.end(), extra.bytes().begin(), extra.bytes().end());
  const ByteVector tail = pieces(built, {7});
  bytes.insert(bytes.end(), tail.begin(), tail.end());
  CHECK(has(refusal(bytes), "does not point at the index"));
  // With its offset mended the archive is whole again.
  ByteVector whole(bytes.begin(), bytes.end() - 32);
  WireWriter end;
  end.u8(5).u8(0).u16(0).u32(16);
  end.u32(crc32_of(end.bytes()));
  WireWriter payload;
  payload.u64(built.at[7] + extra.bytes().size()).text("LPXEND\r\n");
  end.raw(payload.bytes()).u32(crc32_of(payload.bytes()));
  whole.insert(whole.end(), end.bytes().begin(), end.bytes().end());
  CHECK(read_all(whole).size() == 7);
  whole[built.at[7] + 13] ^= std::byte{1};
  CHECK(has(refusal(whole), "checksum differs"));
}

TEST_CASE("archive: every flipped bit is noticed") {
  const Built built = two_members();
  for (std::size_t bit = 0; bit < built.bytes.size() * 8; ++bit) {
    ByteVector bytes = built.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CAPTURE(bit);
    (void)refusal(bytes);
  }
}

TEST_CASE("archive: every truncation is noticed") {
  const Built built = two_members();
  for (std::size_t size = 0; size < built.bytes.size(); ++size) {
    CAPTURE(size);
    (void)refusal(ByteView(built.bytes).first(size));
  }
  ByteVector longer = built.bytes;
  longer.push_back(std::byte{0});
  CHECK(has(refusal(longer), "foreign bytes behind its end"));
}

TEST_CASE("archive: records dropped or doubled or out of order are noticed") {
  const Built built = two_members();
  const std::vector<std::size_t> order{0, 1, 2, 3, 4, 5, 6, 7};
  REQUIRE(read_all(pieces(built, order)).size() == 7);
  // Blocks are the member hash's business: see the tests of decoding.
  for (const std::size_t i : {0, 1, 4, 5, 6, 7}) {
    CAPTURE(i);
    std::vector<std::size_t> dropped = order, doubled = order;
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(i));
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), i);
    (void)refusal(pieces(built, dropped));
    (void)refusal(pieces(built, doubled));
  }
  (void)refusal(pieces(built, {0, 5, 6, 1, 2, 3, 4, 7}));
}

TEST_CASE("archive: lengths beyond the limits are refused before memory is taken") {
  const Built built = two_members();
  const auto with_record = [&](std::size_t before, std::uint8_t type, std::uint32_t size) {
    ByteVector bytes(built.bytes.begin(),
                     built.bytes.begin() + static_cast<std::ptrdiff_t>(built.at[before]));
    WireWriter head;
    head.u8(type).u8(0).u16(0).u32(size);
    head.u32(crc32_of(head.bytes()));
    bytes.insert(bytes.end(), head.bytes().begin(), head.bytes().end());
    return bytes;
  };
  CHECK(has(refusal(with_record(2, 2, 0xffffffff)), "block 1: declares 4294967295 bytes"));
  CHECK(has(refusal(with_record(1, 1, 0xffffffff)), "declares 4294967295 bytes"));
  CHECK(has(refusal(with_record(2, 2, 16u << 20)), "block 1: is cut short"));
  CHECK(has(refusal(with_record(2, 9, 0)), "of a type that is not known here"));

  ByteVector header(built.bytes.begin(), built.bytes.begin() + 64);
  header[20] = header[21] = header[22] = std::byte{0xff};
  CHECK(has(refusal(header), "parameters of over 65536 bytes"));
}

TEST_CASE("archive: an unknown version or numerics or flag is refused by name") {
  const Built built = two_members();
  const auto changed = [&](std::size_t at, int value) {
    ByteVector bytes = built.bytes;
    bytes[at] = static_cast<std::byte>(value);
    const std::size_t length = std::to_integer<std::size_t>(bytes[20]);
    const std::uint32_t crc =
        crc32_of(ByteView(bytes).subspan(64, length), crc32_of(ByteView(bytes).first(60)));
    for (std::size_t i = 0; i < 4; ++i) bytes[60 + i] = static_cast<std::byte>(crc >> (8 * i));
    return bytes;
  };
  CHECK(has(refusal(changed(8, 2)), "format version 2"));
  CHECK(has(refusal(changed(16, 2)), "numerics 2"));
  CHECK(has(refusal(changed(12, 5)), "flags that are not known"));
  CHECK(has(refusal(changed(12, 0)), "contradicts itself about its model"));
  CHECK(std::get<ArchiveHeader>(read_all(changed(10, 3)).front()).minor == 3);
  CHECK(has(refusal(text_bytes("\x89LPX\n\x1a\n and more of it")), "text mode"));
  CHECK(has(refusal(text_bytes("plain words")), "not an .lpx archive"));
}

TEST_CASE("archive: parameters must be canonical and shallow") {
  CHECK_THROWS_AS((void)parse_parameters("{\"b\":1,\"a\":2}"), Error);
  CHECK_THROWS_AS((void)parse_parameters("{\"a\": 1}"), Error);
  CHECK_THROWS_AS((void)parse_parameters("{\"a\":1.5}"), Error);
  CHECK_THROWS_AS((void)parse_parameters("[]"), Error);
  CHECK_THROWS_AS((void)parse_parameters(std::string(40000, '[')), Error);
  CHECK(parse_parameters("{\"a\":\"[[[[[[[[[[\"}").at("a").string().size() == 10);
}
