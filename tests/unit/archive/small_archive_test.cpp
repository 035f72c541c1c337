#include "formats/archive/small_archive.hpp"

#include "formats/archive/reader.hpp"
#include "formats/archive/writer.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace logpx::small_archive_test {

using namespace logpx::archive;

namespace {

Block stored(std::string_view text) {
  const ByteView bytes = bytes_of(text);
  Block block;
  block.payload.assign(bytes.begin(), bytes.end());
  block.raw_bytes = block.items = static_cast<std::uint32_t>(text.size());
  block.raw_crc = crc32_of(bytes);
  return block;
}

ByteVector written(const ArchiveHeader& header, const Run::Entry& entry,
                   const std::optional<Block>& block) {
  ByteVector bytes;
  ArchiveWriter out([&](ByteView part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  out.small(header, entry, block);
  CHECK(out.bytes() == bytes.size());
  return bytes;
}

Run::Entry entry_of(const Member& member, std::uint64_t content) {
  return {.member = member, .content = content};
}

// A picture with all that a member may have.
Run::Entry full_entry() {
  Member member{.kind = MemberKind::own_png,
                .mode = 0640,
                .mtime = -86'400,
                .mtime_ns = 5,
                .size = 700,
                .name = "folder/picture.png",
                .meta = {std::byte{1}, std::byte{2}}};
  return entry_of(member, 5);
}

ByteVector full() {
  ArchiveHeader header{.effort = Effort::best};
  header.parameters.set("prime", std::string(32, 'a'));
  return written(header, full_entry(), stored("12345"));
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

std::string refusal(ByteView bytes) {
  try {
    (void)read_all(bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "read";
}

// An archive of this record, with its check sum set right.
ByteVector with_record(unsigned flags, const WireWriter& record, std::uint64_t size) {
  WireWriter out;
  out.text(format_magic).u16(format_major).u16(format_minor);
  out.u8(static_cast<std::uint8_t>(flags)).varint(size).raw(record.bytes());
  out.u32(crc32_of(out.bytes()));
  return out.bytes();
}
ByteVector with_record(const WireWriter& record) {
  return with_record(small_flag, record, record.bytes().size());
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("archive: a small one is header, size, member, block and one check sum, byte by byte") {
  WireWriter expected;
  expected.text(format_magic).u16(2).u16(6).u8(64 + 4);
  expected.u8(15).u8(0).u8(5).u8(2).text("ab");                   // no time; content; name
  expected.u8(0).u32(crc32_of(bytes_of("hello"))).text("hello");  // the block, stored
  expected.u32(crc32_of(expected.bytes()));
  const ByteVector bytes =
      written({.effort = Effort::normal},
              entry_of({.mode = {}, .size = {}, .name = "ab", .meta = {}}, 5), stored("hello"));
  CHECK(bytes == expected.bytes());
}

TEST_CASE("archive: a small one is read as a run of its member") {
  const auto items = read_all(full());
  REQUIRE(items.size() == 4);
  const auto& header = std::get<ArchiveHeader>(items[0]);
  CHECK(header.small);
  CHECK(header.effort == Effort::best);
  CHECK(header.parameters.at("prime").string() == std::string(32, 'a'));
  const Run run = parse_run(std::get<CodedRun>(items[1]).table.payload);
  REQUIRE(run.entries.size() == 1);
  const Member &read = run.entries.front().member, wrote = full_entry().member;
  CHECK(read.kind == wrote.kind);
  CHECK(read.mode == wrote.mode);
  CHECK(read.mtime == wrote.mtime);
  CHECK(read.mtime_ns == wrote.mtime_ns);
  CHECK(read.size == wrote.size);
  CHECK(read.name == wrote.name);
  CHECK(read.meta == wrote.meta);
  CHECK(run.entries.front().content == 5);
  CHECK(std::get<Block>(items[2]).payload == stored("12345").payload);
  CHECK(std::get<Block>(items[2]).raw_crc == stored("12345").raw_crc);
  CHECK(std::get<ArchiveEnd>(items[3]).members == 1);
}

TEST_CASE("archive: a small one of nothing has no block, and others may follow") {
  ByteVector bytes =
      written({}, entry_of({.mode = {}, .size = {}, .name = "empty", .meta = {}}, 0), std::nullopt);
  CHECK(read_all(bytes).size() == 3);
  const ByteVector more = full();
  bytes.insert(bytes.end(), more.begin(), more.end());
  CHECK(read_all(bytes).size() == 7);
  bytes.push_back(std::byte{0});
  CHECK(has(refusal(bytes), "has other bytes after its end"));
}

TEST_CASE("archive: every flipped bit and every cut of a small one is noticed") {
  const ByteVector whole = full();
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    ByteVector bytes = whole;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CAPTURE(bit);
    CHECK(refusal(bytes) != "read");
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(refusal(ByteView(whole).first(size)) != "read");
  }
  ByteVector bytes = whole;
  bytes.back() ^= std::byte{1};
  CHECK(has(refusal(bytes), "record after header: checksum differs: the archive is damaged"));
}

TEST_CASE("archive: what no encoder writes into a small one is refused though its sum is right") {
  const auto member = [](unsigned kind, std::uint64_t content) {
    WireWriter out;
    out.u8(static_cast<std::uint8_t>(kind)).varint(content).varint(0);
    return out;
  };
  CHECK(read_all(with_record(member(0, 0))).size() == 3);
  CHECK(has(refusal(with_record(member(0, 0).u8(0))), "1 bytes too many"));
  CHECK(has(refusal(with_record(member(0, 5))), "ends early"));
  CHECK(has(refusal(with_record(member(0, small_bytes + 1))), "more content than it may have"));
  CHECK(has(refusal(with_record(small_flag, {}, max_small_record + 1)), "declares 262145 bytes"));
  CHECK(has(refusal(with_record(small_flag, {}, ~0ull)), "declares 18446744073709551615 bytes"));
  // No model and nothing embedded, and no effort but those that are known.
  for (const unsigned flag : {1u, 2u, 12u, 16u, 32u})
    CHECK(has(refusal(with_record(small_flag | flag, member(0, 0), 3)), "header: has flags"));
  // Version 2.5 has none.
  ByteVector older = full();
  older[10] = std::byte{5};
  CHECK(refusal(older) != "read");
  // A kind that is not known is found when its table is parsed, as for any member.
  const auto items = read_all(with_record(member(9, 0).varint(0)));
  CHECK_THROWS_AS((void)parse_run(std::get<CodedRun>(items.at(1)).table.payload), Error);
}

TEST_CASE("archive: what has more than one member, block or run is not small") {
  Run run;
  CHECK_FALSE(may_be_small(run, 0));
  run.entries.push_back(full_entry());
  CHECK(may_be_small(run, 0));
  CHECK(may_be_small(run, 1));
  CHECK_FALSE(may_be_small(run, 2));
  const auto is_small = [&](const auto& change) {
    Run changed = run;
    change(changed);
    return may_be_small(changed, 1);
  };
  CHECK(is_small([](Run& r) { r.entries.front().content = small_bytes; }));
  CHECK_FALSE(is_small([](Run& r) { r.entries.front().content = small_bytes + 1; }));
  CHECK_FALSE(is_small([](Run& r) { r.entries.front().member.meta.resize(small_bytes + 1); }));
  CHECK_FALSE(is_small([](Run& r) { r.entries.front().recipe.emplace(); }));
  CHECK_FALSE(is_small([](Run& r) { r.entries.push_back(full_entry()); }));
  CHECK_FALSE(is_small([](Run& r) { r.stretches.push_back({5, 0}); }));
  CHECK_FALSE(is_small([](Run& r) { r.carried = 0; }));
  CHECK_FALSE(is_small([](Run& r) { r.goes_on = true; }));
}

}  // namespace logpx::small_archive_test
