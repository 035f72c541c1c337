#include "libcore/model/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

constexpr std::size_t most_sample = 16;
constexpr int usual_latent_bits = 12;  // where there is nothing to try others on

// Bits of items on a message that owes nothing: what later items of a block cost.
double steady_bits(const codec::Scheme& scheme, std::span<const std::uint8_t> items) {
  codec::Message message(1);
  codec::Costs costs;
  scheme.encode(message, items, 0, costs);
  return costs.total();
}

}  // namespace

std::vector<std::uint8_t> ModelCodec::items(const Examples& examples) const {
  if (examples.info.element != Element::u8)
    fail(ErrorKind::data, examples.info.name,
         std::string("holds ") + word_of(examples.info.element) + ", and bytes are coded");
  const auto stored = examples.rows.values<std::uint8_t>();
  for (const std::uint8_t symbol : stored)
    if (symbol >= item().levels)
      fail(ErrorKind::data, examples.info.name,
           "holds " + std::to_string(symbol) + ", and the model knows 0 to " +
               std::to_string(item().levels - 1));
  return {stored.begin(), stored.end()};
}

std::string probe_of(const codec::Scheme& scheme, const CodedItem& item, int lanes) {
  LOGPX_ASSERT(static_cast<std::size_t>(item.size()) == scheme.item_size());
  std::vector<std::uint8_t> symbols(scheme.item_size());
  for (std::size_t j = 0; j < symbols.size(); ++j)
    symbols[j] = static_cast<std::uint8_t>((5 * j + 3) % static_cast<std::size_t>(item.levels));
  codec::Message message(lanes);
  codec::Costs costs;
  scheme.encode(message, symbols, 0, costs);
  return sha256_hex(message.serialise());
}

std::vector<double> coder_scores(const codec::Scheme& scheme, std::span<const std::uint8_t> items,
                                 std::uint32_t first, Rng rng, Workers& workers) {
  constexpr std::size_t block = 64;
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

void BitsBackKnobs::describe(Fields& fields) {
  fields
      .add("latent-bits", latent_bits,
           "bits of each latent's bin under the prior, 1 to 16; auto: the fewest that serve")
      .metavar("N|auto")
      .source("coding 3.7");
  fields.add("particles", particles, "coupled importance samples per item")
      .range(1, 1024)
      .source("coding 4.1")
      .rank(Rank::manual);
}

void BitsBackPlan::settle(std::span<const std::uint8_t> sample, Workers& workers) {
  if (knobs_.latent_bits != "auto") return;
  if (sample.empty()) {
    knobs_.latent_bits = std::to_string(usual_latent_bits);
    return;
  }
  sample = sample.first(std::min(sample.size(), most_sample * coding_.item_size()));
  constexpr std::array choices = {8, 10, 12, 14, 16};
  std::array<double, choices.size()> bits{};
  for (std::size_t i = 0; i < choices.size(); ++i)
    bits[i] = steady_bits(*scheme_of(choices[i], workers), sample);
  const double best = *std::min_element(bits.begin(), bits.end());
  for (std::size_t i = choices.size(); i-- > 0;)
    if (bits[i] <= 1.001 * best) knobs_.latent_bits = std::to_string(choices[i]);
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
  codec::BitsBackSettings settings{codec::standard_bins(coding_.latents(), bits, workers), 24};
  if (knobs_.particles < 1 || knobs_.particles > 1024)
    fail(ErrorKind::usage, "--particles",
         "is " + std::to_string(knobs_.particles) + ", expected 1 to 1024");
  if (knobs_.particles == 1) return std::make_unique<codec::BitsBack>(coding_, std::move(settings));
  return std::make_unique<codec::Particles>(coding_, std::move(settings),
                                            static_cast<std::uint32_t>(knobs_.particles));
}

}  // namespace logpx
