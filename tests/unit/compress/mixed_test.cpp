// Blocks of the adaptive coder with the model as an adviser.
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/next_symbol.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/sealed_archives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>

namespace logpx::mixed_test {

using namespace logpx::archive;
using namespace logpx::compress;
using namespace logpx::testing;
using Coder = archive::BlockCoder;

namespace {

// A chain of symbols as a model that predicts the next symbol.
class Voiced final : public MarkovModel {
 public:
  using MarkovModel::MarkovModel;
  [[nodiscard]] std::unique_ptr<codec::NextSymbol> next_symbol() const override {
    return codec::symbols_of_state(start(), item_size());
  }
};

std::shared_ptr<Voiced> voiced_text() {
  register_coding_models();
  auto model = std::make_shared<Voiced>(text_config());
  fit_to_words(*model);
  return model;
}

// Steps of 1, now and then of 2 or of any size.
std::vector<std::uint8_t> walk(std::size_t count, std::uint32_t levels, std::uint32_t sub) {
  Cursor random(Rng(9).stream(Stream::test, sub));
  std::vector<std::uint8_t> values(count);
  std::uint32_t now = 0;
  for (std::uint8_t& value : values) {
    const std::uint32_t u = random.below(20);
    now = (now + (u < 15 ? 1 : u < 19 ? 2 : random.below(levels))) % levels;
    value = static_cast<std::uint8_t>(now);
  }
  return values;
}

CodingUnits units_of_words() {
  CodingUnits units;
  units.effort = Effort::normal;
  units.item = ItemShape{{1, 50, 1}, 27};
  units.sequence = true;
  units.alphabet = " abcdefghijklmnopqrstuvwxyz";
  return units;
}

std::shared_ptr<Voiced> voiced_rasters(std::int64_t levels) {
  register_coding_models();
  MarkovConfig config;
  config.height = 6;
  config.width = 11;
  config.levels = levels;
  auto model = std::make_shared<Voiced>(config);
  model->fit(walk(20'000, static_cast<std::uint32_t>(levels), 514));
  return model;
}

// An IDX file of rasters of 6 x 11: a walk in which some rows repeat the one above, which contexts
// can learn and the chain cannot.
ByteVector rasters(std::int64_t count, std::uint32_t levels) {
  constexpr std::size_t width = 11;
  std::vector<std::uint8_t> values = walk(static_cast<std::size_t>(count) * 66, levels, 515);
  for (std::size_t i = width; i < values.size(); ++i)
    if (i / width % 3 != 0) values[i] = values[i - width];
  ByteVector file = array_header(MemberKind::idx, std::vector<std::int64_t>{count, 6, 11});
  for (const std::uint8_t value : values) file.push_back(static_cast<std::byte>(value));
  return file;
}

ByteVector made(std::shared_ptr<Model> model, const ByteVector& content, Effort effort,
                int threads = 1, Figures* figures = nullptr) {
  Workers workers(threads);
  CodingOptions options;
  options.block_items = 30;
  Coding coding = testing::coding_of(std::move(model), options, workers);
  coding.parameters.units.effort = effort;
  return testing::make_archive(coding, {{"file", content}}, Methods::model, workers, figures);
}

std::vector<ByteVector> opened_again(const ByteVector& bytes, std::shared_ptr<Model> model) {
  Workers workers(1);
  return testing::open_archive(bytes, std::move(model), workers);
}

}  // namespace

TEST_CASE("mixed: texts and rasters by a model and contexts together come back, by any threads") {
  struct Example {
    std::shared_ptr<Voiced> model;
    ByteVector content;
  };
  const Example examples[] = {{voiced_text(), words(4321)},
                              {voiced_rasters(256), rasters(70, 256)},
                              {voiced_rasters(2), rasters(70, 2)}};
  for (const auto& [model, content] : examples)
    for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
      Figures figures;
      const ByteVector bytes = made(model, content, effort, 1, &figures);
      CHECK((figures.share_of(Coder::mixed).blocks > 0) == (effort != Effort::fast));
      CHECK(made(model, content, effort, 3) == bytes);
      CHECK(opened_again(bytes, model) == std::vector<ByteVector>{content});
    }
}

TEST_CASE("mixed: a block has the shortest of all its forms") {
  const ByteVector text = words(1400);
  Figures figures;
  const ByteVector mixed = made(voiced_text(), text, Effort::normal, 1, &figures);
  CHECK(figures.blocks_of_model() == 1);
  CHECK(figures.share_of(Coder::mixed).raw_bytes == 1400);
  // The same model without an adviser.
  Figures apart;
  CHECK(mixed.size() < made(text_model(), text, Effort::normal, 1, &apart).size());
  CHECK(apart.share_of(Coder::mixed).blocks == 0);
  CHECK(figures.coded_bytes() < apart.coded_bytes());
}

TEST_CASE("mixed: blocks are as long as contexts learn, unless another length is asked for") {
  Workers workers(1);
  const auto items = [&](std::shared_ptr<Model> model, const CodingOptions& options) {
    return items_per_block(testing::coding_of(std::move(model), options, workers).parameters.units);
  };
  CodingOptions usual, fast, alone, asked;
  fast.effort = Effort::fast;
  alone.model_only = true;
  asked.block_items = 30;
  CHECK(items(voiced_rasters(256), usual) == (1 << 24) / 66);
  CHECK(items(voiced_rasters(256), fast) == 512);
  CHECK(items(voiced_rasters(256), alone) == 512);
  CHECK(items(voiced_rasters(256), asked) == 30);
  CHECK(items(voiced_text(), usual) == (1 << 24) / voiced_text()->item_size());
  CHECK(items(text_model(), usual) == (1 << 20) / text_model()->item_size());
}

TEST_CASE("mixed: the report says how many bits such blocks take") {
  Figures figures;
  (void)made(voiced_text(), words(1400), Effort::normal, 1, &figures);
  const Json json = figures.json();
  const double bits = json.at("mixed").at("bits").number();
  CHECK(bits == 8.0 * static_cast<double>(figures.share_of(Coder::mixed).coded_bytes));
  CHECK(json.at("mixed").at("bits_per_dim").number() == doctest::Approx(bits / 1400));
  CHECK(json.at("blocks").at("mixed").at("blocks").integer() == 1);
}

TEST_CASE("mixed: every flipped bit and every truncation is refused") {
  Sealed sealed{.bytes = made(voiced_text(), words(100), Effort::normal),
                .contents = {words(100)},
                .model = voiced_text(),
                .figures = {}};
  REQUIRE(fate_of(sealed, sealed.bytes) == Fate::same);
  for (std::size_t bit = 0; bit < sealed.bytes.size() * 8; bit += testing::step_of_many) {
    ByteVector bytes = sealed.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CAPTURE(bit);
    CHECK(fate_of(sealed, bytes) == Fate::refused);
  }
  for (std::size_t size = 0; size < sealed.bytes.size(); size += testing::step_of_many)
    CHECK(fate_of(sealed, ByteView(sealed.bytes).first(size)) == Fate::refused);
}

TEST_CASE("mixed: blocks that no encoder makes are refused as data") {
  const CodingUnits units = units_of_words();
  const auto model = voiced_text();
  const codec::Sequential scheme(*model);
  const compress::BlockCoder coder({.scheme = &scheme}, units), without({}, units);
  const ByteVector text = words(500);
  const BlockView view{.bytes = 500, .items = 10, .for_model = true};
  BlockFigures figures;
  const Block good = coder.encode(text, view, 0, figures);
  REQUIRE(good.coder == Coder::mixed);
  CHECK(coder.decode(good, view, 0) == text);
  const auto refused = [](const compress::BlockCoder& by, const Block& block,
                          const BlockView& seen) {
    try {
      (void)by.decode(block, seen, 0);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::data;
    }
    return false;
  };
  CHECK(refused(without, good, view));
  CHECK(refused(coder, good, view_of_bytes(500)));
  // A model that cannot predict the next symbol.
  const auto silent = text_model();
  const codec::Sequential quiet(*silent);
  CHECK(refused(compress::BlockCoder({.scheme = &quiet}, units), good, view));
  Block packed = good;
  packed.two_levels = true;
  CHECK(refused(coder, packed, view));
  Block plain = good;
  plain.coder = Coder::adaptive;
  CHECK(refused(coder, plain, view));
}

TEST_CASE("mixed: what a candidate encodes it decodes, whether or not another one is shorter") {
  const auto model = voiced_text();
  const codec::Sequential scheme(*model);
  const BlockMeans means({.scheme = &scheme}, units_of_words());
  const ByteVector text = words(500);
  const BlockView view{.bytes = 500, .items = 10, .for_model = true};
  std::set<Coder> names;
  for (const BlockCandidate& candidate : block_candidates()) {
    CAPTURE(word_of(candidate.name));
    names.insert(candidate.name);
    BlockTrial trial{.raw = text, .view = view};
    CHECK(candidate.applies(means, trial));
    const std::optional<Block> block = candidate.encode(means, trial);
    REQUIRE(block.has_value());
    CHECK(block->coder == candidate.name);
    CHECK(candidate.decode(means, *block, view, 0) == text);
  }
  CHECK(names.size() == block_coders);
}

TEST_CASE(
    "mixed: a block takes seconds of the candidates that apply, of one that settles it alone") {
  const auto model = voiced_text();
  const codec::Sequential scheme(*model);
  const ByteVector text = words(500);
  const BlockView view{.bytes = 500, .items = 10, .for_model = true};
  const auto seconds_by = [&](Methods methods) {
    const compress::BlockCoder coder({.scheme = &scheme, .methods = methods}, units_of_words());
    BlockFigures figures;
    (void)coder.encode(text, view, 0, figures);
    CHECK(figures.verify_seconds > 0);
    return figures.seconds;
  };
  for (const double seconds : seconds_by(Methods::model)) CHECK(seconds > 0);
  const auto settled = seconds_by(Methods::model_only);
  CHECK(settled[static_cast<std::size_t>(Coder::model)] > 0);
  for (const Coder untried : {Coder::mixed, Coder::adaptive, Coder::fallback})
    CHECK(settled[static_cast<std::size_t>(untried)] == 0);
}

TEST_CASE("mixed: no block of an archive without a model is mixed: it is refused on reading") {
  ByteVector bytes;
  ArchiveWriter writer([&](ByteView more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  writer.header({.effort = Effort::normal});
  Block table;
  table.coder = Coder::mixed;
  table.form.kind = 6;
  table.raw_bytes = 3;
  table.payload = from_text("abc");
  writer.run(table);
  ByteView left = bytes;
  ArchiveReader reader([&](std::span<std::byte> out) {
    const std::size_t count = std::min(out.size(), left.size());
    std::copy_n(left.begin(), count, out.begin());
    left = left.subspan(count);
    return count;
  });
  CHECK(std::holds_alternative<ArchiveHeader>(*reader.next()));
  CHECK_THROWS_AS((void)reader.next(), Error);
}

}  // namespace logpx::mixed_test
