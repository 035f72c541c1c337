#include "libcore/model/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/codec/direct.hpp"
#include "libcore/model/likelihood.hpp"
#include "libcore/model/settled_size.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

constexpr std::int64_t items_scored_together = 64;
constexpr int usual_latent_bits = 12;  // when there is no sample to try others on

// How many symbols of row i count.
std::int64_t row_length(const Examples& examples, std::int64_t i) {
  const std::vector<std::int32_t>& lengths = examples.rows.length;
  return lengths.empty() ? examples.info.dims() : lengths[at(i)];
}

// Rows that are scored together: some that fill their items, then at most one that ends early.
struct RowRun {
  std::int64_t begin = 0, count = 0, symbols = 0;
};
std::vector<RowRun> runs_of(const Examples& examples, std::int64_t size) {
  std::vector<RowRun> runs;
  for (std::int64_t i = 0; i < examples.rows.count; ++i) {
    if (runs.empty() || runs.back().count == items_scored_together ||
        runs.back().symbols < runs.back().count * size)
      runs.push_back({.begin = i});
    ++runs.back().count;
    runs.back().symbols += row_length(examples, i);
  }
  return runs;
}

// Rows of any width as items of one size.
std::vector<std::uint8_t> fitted_items(const Examples& examples, std::int64_t size) {
  const auto stored = examples.rows.values<std::uint8_t>();
  const std::int64_t width = examples.info.dims();
  std::vector<std::uint8_t> symbols(at(examples.rows.count * size));
  for (std::int64_t i = 0; i < examples.rows.count; ++i) {
    if (const std::int64_t length = row_length(examples, i); length > size)
      fail(ErrorKind::data, examples.info.name,
           "row " + std::to_string(examples.first + i) + " has " + std::to_string(length) +
               " symbols, and the model codes up to " + std::to_string(size));
    const auto row = stored.subspan(at(i * width), at(std::min(width, size)));
    std::ranges::copy(row, symbols.begin() + i * size);
  }
  return symbols;
}

std::vector<std::byte> alone(const codec::Scheme& scheme, std::span<const std::uint8_t> item,
                             int lanes) {
  codec::Message message(lanes);
  codec::Costs costs;
  scheme.encode(message, item, 0, costs);
  return message.serialise();
}

}  // namespace

std::vector<std::uint8_t> ModelCodec::items(const Examples& examples) const {
  if (examples.info.element != Element::u8)
    fail(ErrorKind::data, examples.info.name,
         std::string("holds ") + word_of(examples.info.element) + ", but only bytes can be coded");
  const auto stored = examples.rows.values<std::uint8_t>();
  for (const std::uint8_t symbol : stored)
    if (symbol >= item().levels)
      fail(ErrorKind::data, examples.info.name,
           "holds " + std::to_string(symbol) + ", and the model knows 0 to " +
               std::to_string(item().levels - 1));
  if (!item().short_last) return {stored.begin(), stored.end()};
  return fitted_items(examples, item().size());
}

CodedItem item_of(const DatasetInfo& data) {
  CodedItem item{.width = data.dims(), .levels = data.levels};
  // Symbols other than letters come from arrays, not texts. A single symbol is a raster: archives
  // have always said so.
  const bool letters = data.content == Content::symbols && !data.alphabet.empty();
  if ((letters || data.content == Content::bytes) && data.dims() > 1) {
    item.kind = CodedItem::Kind::run;
    item.alphabet = byte_alphabet(data);
  }
  if (data.content != Content::image || data.shape.size() != 3) return item;
  item.height = data.shape[0];
  item.width = data.shape[1];
  item.channels = data.shape[2];
  return item;
}

std::string byte_alphabet(const DatasetInfo& data) {
  std::string bytes;
  for (const std::uint32_t letter : data.alphabet) {
    if (letter >= 128) return {};
    bytes += static_cast<char>(letter);
  }
  return bytes;
}

// If that is not a valid item, the one that an empty message decodes to.
std::string probe_of(const codec::Scheme& scheme, const CodedItem& item, int lanes) {
  LOGPX_ASSERT(static_cast<std::size_t>(item.size()) == scheme.item_size());
  std::vector<std::uint8_t> symbols(scheme.item_size());
  for (std::size_t j = 0; j < symbols.size(); ++j)
    symbols[j] = static_cast<std::uint8_t>((5 * j + 3) % static_cast<std::size_t>(item.levels));
  try {
    return sha256_hex(alone(scheme, symbols, lanes));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
  }
  codec::Message nothing(lanes);
  scheme.decode(nothing, symbols, 0);
  return sha256_hex(alone(scheme, symbols, lanes));
}

std::vector<double> coder_scores(const codec::Scheme& scheme, std::span<const std::uint8_t> items,
                                 std::uint32_t first, Rng rng, Workers& workers) {
  constexpr std::size_t block = items_scored_together;
  const std::size_t size = scheme.item_size(), count = items.size() / size;
  std::vector<double> nats(count);
  workers.run(static_cast<std::int64_t>((count + block - 1) / block), [&](std::int64_t number) {
    const det::FpEnvironment plain;
    const std::size_t begin = static_cast<std::size_t>(number) * block;
    const std::size_t rows = std::min(block, count - begin);
    scheme.score(items.subspan(begin * size, rows * size), rng,
                 first + static_cast<std::uint32_t>(begin), std::span(nats).subspan(begin, rows));
  });
  return nats;
}

std::vector<double> coder_scores(const codec::Scheme& scheme, const ModelCodec& codec,
                                 const Examples& examples, Rng rng, Workers& workers) {
  const std::vector<std::uint8_t> items = codec.items(examples);
  const auto first = static_cast<std::uint32_t>(examples.first);
  if (!codec.item().short_last) return coder_scores(scheme, items, first, rng, workers);
  const std::vector<RowRun> runs = runs_of(examples, static_cast<std::int64_t>(scheme.item_size()));
  std::vector<double> nats(at(examples.rows.count));
  workers.run(std::ssize(runs), [&](std::int64_t number) {
    const det::FpEnvironment plain;
    const RowRun& run = runs[at(number)];
    const auto begin = at(run.begin) * scheme.item_size();
    scheme.score(std::span(items).subspan(begin, at(run.symbols)), rng,
                 first + static_cast<std::uint32_t>(run.begin),
                 std::span(nats).subspan(at(run.begin), at(run.count)));
  });
  return nats;
}

void require_codable(const Likelihood& likelihood, const std::string& hint) {
  if (likelihood.takes() == ValuesOfX::reals)
    fail(ErrorKind::data, "", "has a likelihood of real numbers, but only bytes can be coded",
         hint);
  if (!likelihood.is_codable())
    fail(ErrorKind::data, "", "has more than 256 levels, but only bytes can be coded");
}

std::unique_ptr<CodingPlan> direct_plan(
    const CodedItem& item, std::function<std::unique_ptr<codec::SymbolVector>()> values) {
  return std::make_unique<ExactPlan>([size = at(item.size()), values = std::move(values)] {
    return std::make_unique<codec::Direct>(size, values);
  });
}

void BitsBackKnobs::describe(Fields& fields) {
  fields
      .add("latent-bits", latent_bits,
           "bits of each latent's bin under the prior, 1 to 16; auto: the fewest that are enough")
      .about(
          "Fine bins come closer to the bound, and borrow more bits before the first item can pay "
          "them back: a few items are better off with coarse ones. auto tries several on a sample "
          "of the data.")
      .metavar("N|auto");
  fields.add("particles", particles, "coupled importance samples per item")
      .range(1, 1024)
      .rank(Rank::manual);
}

BitsBackPlan::BitsBackPlan(const codec::LatentCoding& coding)
    : coding_(std::shared_ptr<const void>(), &coding) {}

void BitsBackPlan::settle(std::span<const std::uint8_t> sample, Workers& workers) {
  if (knobs_.latent_bits != "auto") return;
  if (sample.empty()) {
    knobs_.latent_bits = std::to_string(usual_latent_bits);
    return;
  }
  constexpr std::array<std::int64_t, 5> choices = {8, 10, 12, 14, 16};
  knobs_.latent_bits = std::to_string(settled_size(choices, sample, [&](std::int64_t bits) {
    return scheme_of(static_cast<int>(bits), workers);
  }));
}

std::unique_ptr<codec::Scheme> BitsBackPlan::scheme(Workers& workers) const {
  const auto bits = parse_integer(knobs_.latent_bits);
  if (!bits || *bits < 1 || *bits > codec::most_latent_bits)
    fail(ErrorKind::usage, "--latent-bits",
         "is '" + knobs_.latent_bits + "', expected 1 to " +
             std::to_string(codec::most_latent_bits));
  return scheme_of(static_cast<int>(*bits), workers);
}

std::unique_ptr<codec::Scheme> BitsBackPlan::scheme_of(int bits, Workers& workers) const {
  if (coding_ == nullptr) coding_ = make_(workers);
  codec::BitsBackSettings settings{coding_->bins(bits, workers), 24, coding_};
  if (knobs_.particles < 1 || knobs_.particles > 1024)
    fail(ErrorKind::usage, "--particles",
         "is " + std::to_string(knobs_.particles) + ", expected 1 to 1024");
  if (knobs_.particles == 1)
    return std::make_unique<codec::BitsBack>(*coding_, std::move(settings));
  return std::make_unique<codec::Particles>(*coding_, std::move(settings),
                                            static_cast<std::uint32_t>(knobs_.particles));
}

}  // namespace logpx
