#include "formats/archive/reader.hpp"
#include "formats/archive/writer.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace logpx::block_head_test {

using namespace logpx::archive;

namespace {

// An archive whose table and whose block are this one.
ByteVector written(const Block& block, Effort effort, ModelUse use) {
  ByteVector bytes;
  ArchiveWriter out([&](ByteView part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  out.header({.effort = effort,
              .model = use,
              .model_identity = use == ModelUse::none ? "" : std::string(64, 'a')});
  out.run(block);
  out.block(block);
  out.finish({.members = 1, .sha256 = sha256_hex("")});
  return bytes;
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

Block coded_as(std::uint8_t kind) {
  Block block;
  block.coder = BlockCoder::adaptive;
  block.form.kind = kind;
  block.raw_bytes = block.items = 5;
  block.payload.resize(3);
  return block;
}

}  // namespace

TEST_CASE("archive: a block of the level normal takes no more where the effort is best") {
  for (const ModelUse use : {ModelUse::none, ModelUse::named})
    for (const std::uint8_t kind : {text_block, std::uint8_t{9}}) {
      Block block = coded_as(kind);
      const std::size_t normal = written(block, Effort::normal, use).size();
      block.form.at_normal = true;
      const ByteVector best = written(block, Effort::best, use);
      // Only where a model may have its say does a kind that three bits name take one more.
      const bool longer = use != ModelUse::none && kind < short_block_kinds;
      CHECK(best.size() == normal + (longer ? 1 : 0));
      const auto items = read_all(best);
      for (const Block& read : {std::get<CodedRun>(items[1]).table, std::get<Block>(items[2])}) {
        CHECK(read.coder == BlockCoder::adaptive);
        CHECK(read.form == block.form);
      }
      // At the effort normal there is no other level.
      CHECK_THROWS_AS((void)read_all(written(block, Effort::normal, use)), Error);
    }
}

}  // namespace logpx::block_head_test
