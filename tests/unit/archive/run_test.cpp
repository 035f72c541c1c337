// Tables of members, and the plan of blocks that follows from them.
#include "formats/archive/run.hpp"
#include "formats/archive/run_parts.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace logpx::run_test {

using namespace logpx::archive;

namespace {

ByteVector from_text(std::string_view text) {
  return {bytes_of(text).begin(), bytes_of(text).end()};
}

Run::Entry entry(std::string name, std::string_view meta, std::uint64_t content) {
  Run::Entry made;
  made.member.name = std::move(name);
  made.member.meta = from_text(meta);
  made.member.kind = meta.empty() ? MemberKind::bytes : MemberKind::pnm;
  made.member.mode = 0644;
  made.member.mtime = 1'768'221'296;
  made.content = content;
  return made;
}

Run some_run() {
  Run run{.first = 70'000, .carried = 5, .goes_on = true, .entries = {}};
  for (int i = 0; i < 30; ++i) {
    run.entries.push_back(
        entry("a/picture-" + std::to_string(100 + i) + ".pgm", "P5 8 8 255\n", 64));
    run.entries.back().member.mtime_ns = static_cast<std::uint32_t>(i) * 31'000'000;
  }
  run.entries[3].member.mode.reset();
  run.entries[3].member.mtime = 0;
  run.entries[4].member.mtime = std::numeric_limits<std::int64_t>::min();
  run.entries[5].member.mtime = std::numeric_limits<std::int64_t>::max();
  run.entries[6] = entry("", "", 1 << 20);
  run.entries[7] = entry(std::string(max_name_bytes, 'x'), "", 0);
  run.entries[8].member.kind = MemberKind::own_png;
  run.entries[8].member.size = 12'345;
  return run;
}

}  // namespace

TEST_CASE("run: a table comes back, with every odd member") {
  const Run run = some_run();
  const Run back = parse_run(serialise(run));
  CHECK(back.first == run.first);
  CHECK(back.carried == run.carried);
  CHECK(back.goes_on);
  REQUIRE(back.entries.size() == run.entries.size());
  for (std::size_t i = 0; i < run.entries.size(); ++i) {
    const Member &a = run.entries[i].member, &b = back.entries[i].member;
    CAPTURE(i);
    CHECK(a.kind == b.kind);
    CHECK(a.mode == b.mode);
    CHECK(a.mtime == b.mtime);
    CHECK(a.mtime_ns == b.mtime_ns);
    CHECK(a.size == b.size);
    CHECK(a.name == b.name);
    CHECK(a.meta == b.meta);
    CHECK(run.entries[i].content == back.entries[i].content);
  }
}

TEST_CASE("run: like members take a few bytes each before they are coded") {
  Run run;
  for (int i = 0; i < 200; ++i)
    run.entries.push_back(
        entry("picture-" + std::to_string(10'000 + i) + ".pgm", "P5 28 28 255\n", 784));
  CHECK(serialise(run).size() < 200 * 14);
}

TEST_CASE("run: every truncation of a table is refused, and no flipped byte does harm") {
  const ByteVector table = serialise(some_run());
  for (std::size_t size = 0; size < table.size(); ++size)
    CHECK_THROWS_AS((void)parse_run(ByteView(table).first(size)), Error);
  ByteVector longer = table;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS((void)parse_run(longer), Error);
  for (std::size_t at = 0; at < table.size(); ++at)
    for (const int flip : {1, 0x21, 0x80, 0xff}) {
      ByteVector bytes = table;
      bytes[at] ^= static_cast<std::byte>(flip);
      try {
        (void)parse_run(bytes);
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::data);
      }
    }
}

TEST_CASE("run: counts and sizes are checked before memory is taken") {
  const auto refused = [](WireWriter out, std::string_view why) {
    try {
      (void)parse_run(out.bytes());
      FAIL("was read");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      CHECK(std::string(error.what()).find(why) != std::string::npos);
    }
  };
  WireWriter many;
  many.u8(0).varint(0).varint(~0ull);
  refused(many, "declares more members than it holds");
  WireWriter claims;
  claims.u8(1).varint(0).varint(0).varint(max_run_content + 1);
  refused(claims, "declares more content");
  WireWriter orphan;
  orphan.u8(2).varint(0).varint(0);
  refused(orphan, "continues a member that is not there");
  // Texts that share a long beginning would take much memory from few bytes.
  Run run;
  for (int i = 0; i < 40'000; ++i)
    run.entries.push_back(
        entry(std::string(max_name_bytes - 5, 'x') + std::to_string(10'000 + i), "", 0));
  const ByteVector table = serialise(run);
  CHECK(table.size() < 1'000'000);
  CHECK_THROWS_AS((void)parse_run(table), Error);
}

namespace {

OpenedRun opened(std::vector<Run::Entry> entries, const CodingUnits& units) {
  Run run;
  run.entries = std::move(entries);
  return open_run(parse_run(serialise(run)), units, std::nullopt, 0);
}

std::vector<BlockView> blocks_of(RunPlan& plan) {
  std::vector<BlockView> blocks;
  while (auto view = plan.next_block()) blocks.push_back(*view);
  return blocks;
}

CodingUnits images(std::int64_t side) {
  CodingUnits units;
  units.item = ItemShape{{side, side, 1}, 256};
  return units;
}

}  // namespace

TEST_CASE("run: all that fits the model lies together, and so do rasters of any size and bytes") {
  const std::vector<Run::Entry> entries = {
      entry("a", "P5 8 8 255\n", 64), entry("b", "", 1000),
      entry("c", "P5 4 4 255\n", 16), entry("d", "P5 9 8 255\n", 75),
      entry("e", "P6 2 2 255\n", 12), entry("f", "P5 8 8 255\n", 64)};
  OpenedRun by_model = opened(entries, images(8));
  const auto blocks = blocks_of(by_model.plan);
  REQUIRE(blocks.size() == 4);
  CHECK(blocks[0].for_model);
  CHECK(blocks[0].items == 3);             // of a, d and f
  CHECK(blocks[1].bytes == 1000 + 8 + 3);  // b, what is left of d, and what is behind it
  CHECK(blocks[2].rasters.front().shape == RasterShape{4, 4, 1});
  CHECK(blocks[3].rasters.front().shape == RasterShape{2, 2, 3});
  std::vector<std::size_t> whose;
  by_model.plan.each_share(blocks[0], [&](std::size_t part, std::uint64_t size) {
    whose.push_back(part);
    CHECK(size == 64);
  });
  CHECK(whose == std::vector<std::size_t>{0, 3, 5});

  OpenedRun plain = opened(entries, {});
  const auto without = blocks_of(plain.plan);
  REQUIRE(without.size() == 3);
  CHECK(without[0].rasters.size() == 3);  // 8x8 of two members, 4x4, 9x8
  CHECK(without[0].bytes == 64 + 16 + 72 + 64);
}

TEST_CASE("run: rasters of one shape are a stream of their own when there are enough of them") {
  std::vector<Run::Entry> entries;
  for (int i = 0; i < 40; ++i) {
    entries.push_back(entry("bits", "P5 28 28 255\n", 784));
    entries.push_back(entry("icon", "P5 5 5 255\n", 25));
    entries.push_back(entry("line", "P5 6 5 255\n", 30));
  }
  OpenedRun run = opened(entries, {});
  const auto blocks = blocks_of(run.plan);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].bytes == 40 * 784);
  CHECK(blocks[0].rasters.size() == 1);
  CHECK(blocks[1].bytes == 40 * 55);
  CHECK(blocks[1].rasters.size() == 2);
}

TEST_CASE("run: contents of streams may be cut where a stream ends") {
  using What = RecipeStep::What;
  RunPlan plan({});
  for (const std::uint64_t bytes : {100, 200}) {
    plan.add(0, {.what = What::bytes, .bytes = 10}, 0);
    plan.add(0, {.what = What::open, .layer = Layer::zlib}, 1);
    plan.add(0, {.what = What::bytes, .bytes = bytes}, 1);
    plan.add(0, {.what = What::bytes, .bytes = 5}, 1);
    plan.add(0, {.what = What::close}, 0);
  }
  CHECK(plan.loose_ends() == std::vector<std::uint64_t>{20, 125, 330});
}

TEST_CASE("run: a table that does not follow the one before is refused") {
  Run run;
  run.first = 1;
  CHECK_THROWS_AS((void)open_run(run, {}, std::nullopt, 0), Error);
  run.first = 0;
  run.carried = 10;
  CHECK_THROWS_AS((void)open_run(run, {}, std::nullopt, 0), Error);
  run.carried.reset();
  run.entries.push_back(entry("x", "P5 not a header", 3));
  CHECK_THROWS_AS((void)open_run(run, {}, std::nullopt, 0), Error);
}

}  // namespace logpx::run_test
