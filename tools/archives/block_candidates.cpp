#include "tools/archives/block_candidates.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/first_text.hpp"
#include "libcore/codec/adaptive/gain.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/codec/fallback.hpp"
#include "libcore/codec/next_symbol.hpp"
#include "tools/archives/block_forms.hpp"
#include "tools/archives/packed_rows.hpp"

#include <algorithm>
#include <memory>

namespace logpx::compress {
namespace {

using archive::Block;
using archive::BlockView;
using archive::ByteVector;
using archive::ByteView;
using archive::Effort;
using codec::Message;
using Coder = archive::BlockCoder;

constexpr std::size_t least_tried = 8;  // items that an attempt to bootstrap codes
// A lane costs eight bytes and makes the fallback coder faster, which nobody sees in small blocks.
constexpr std::size_t small_block = 1 << 16;
constexpr std::size_t few_bytes = 1 << 10;
constexpr int fallback_lanes = 4;
// Bytes of a block for which the first text is tried: it is soon said, and soon forgotten.
constexpr std::size_t least_after_text = 16, most_after_text = 1 << 16;

bool holds_two_levels(ByteView samples) {
  return std::ranges::all_of(samples, [](std::byte b) { return b <= std::byte{1}; });
}

void fill_from(Block& block, const Message& message) {
  block.payload = message.serialise();
  block.lanes = static_cast<std::uint32_t>(message.lanes());
  block.borrowed = message.borrowed();
}

// The fallback coder sees rasters where the block holds any, else bytes.
std::vector<codec::FallbackForm> forms_of(const BlockView& view, bool two_levels) {
  if (view.rasters.empty()) return {{}};
  std::vector<codec::FallbackForm> forms;
  for (const auto& [shape, count] : view.rasters)
    forms.push_back({.kind = two_levels ? codec::FallbackKind::binary : codec::FallbackKind::image,
                     .height = shape.height,
                     .width = shape.width,
                     .channels = shape.channels,
                     .rasters = count});
  return forms;
}

bool may_code_alone(const BlockMeans& means, const BlockTrial& trial) {
  return means.settings.methods != Methods::store && !trial.raw.empty();
}

// 1. The bytes as they are.

bool always(const BlockMeans&, BlockTrial&) { return true; }

std::optional<Block> store(const BlockMeans&, BlockTrial& trial) {
  Block block;
  block.payload.assign(trial.raw.begin(), trial.raw.end());
  return block;
}

ByteVector take_stored(const BlockMeans&, const Block& block, const BlockView&, std::uint64_t) {
  return block.payload;
}

// 2. The model, where it takes such items; the first of them may go by the fallback coder.

bool model_applies(const BlockMeans& means, BlockTrial& trial) {
  return means.settings.methods >= Methods::model && means.settings.scheme != nullptr &&
         trial.view.for_model;
}

// The symbols of the last items of a block that holds so many symbols; the last item may be shorter
// than the others.
std::size_t symbols_of_last(const codec::Scheme& scheme, std::size_t items, std::size_t symbols) {
  if (items == 0) return 0;
  return symbols - (scheme.items_in(symbols) - items) * scheme.item_size();
}

struct Attempt {
  std::size_t bootstrap = 0;  // items
  codec::Costs costs = {};
};

// The last `bootstrap` items go first, by the fallback coder: their bits seed what follows.
// [codec/README 6]
Block encode_items(const BlockMeans& means, std::span<const std::uint8_t> symbols,
                   const BlockTrial& trial, Attempt& attempt) {
  const codec::Scheme& scheme = *means.settings.scheme;
  const std::size_t tail =
      symbols.size() - symbols_of_last(scheme, attempt.bootstrap, symbols.size());
  Message message(means.settings.model_lanes);
  const double before = message.bits();
  const auto items = static_cast<std::uint32_t>(attempt.bootstrap);
  if (items > 0)
    codec::push_fallback_forms(message, symbols.subspan(tail),
                               forms_of(trial.view, means.two_levels));
  attempt.costs = {};
  attempt.costs.of(codec::Part::bootstrap) = message.bits() - before;
  scheme.encode(message, symbols.first(tail), trial.number, attempt.costs);
  Block block;
  block.coder = Coder::model;
  block.bootstrap_items = items;
  fill_from(block, message);
  return block;
}

// m = 0, 1, 2, 4 ... until nothing is borrowed; the smallest wins. They differ in what is coded
// first, so they are tried on the items there and the whole block is coded once. A model that codes
// alone has nobody to ask for bits, and borrows.
Block best_bootstrap(const BlockMeans& means, std::span<const std::uint8_t> symbols,
                     BlockTrial& trial) {
  const std::size_t all = trial.view.items;
  const auto code = [&](std::size_t items, Attempt& attempt) {
    const std::size_t count = symbols_of_last(*means.settings.scheme, items, symbols.size());
    return encode_items(means, symbols.last(count), trial, attempt);
  };
  Block best;
  Attempt chosen;
  std::size_t tried = 0;  // items
  for (std::size_t m = 0; m <= all; m = m == 0 ? 1 : 2 * m) {
    if (const auto wanted = std::min(all, std::max(least_tried, 4 * m)); wanted > tried) {
      tried = wanted;
      if (m > 0) best = code(tried, chosen);
    }
    Attempt attempt{.bootstrap = m};
    Block block = code(tried, attempt);
    const bool seeded = block.borrowed == 0;
    if (m == 0 || block.payload.size() < best.payload.size()) {
      best = std::move(block);
      chosen = attempt;
    }
    if (seeded || means.settings.methods == Methods::model_only) break;
  }
  if (tried < all) best = code(all, chosen);
  trial.costs = chosen.costs;
  return best;
}

// Nothing where an item has symbols that the model knows and is still none that it takes.
std::optional<Block> encode_by_model(const BlockMeans& means, BlockTrial& trial) {
  const std::vector<std::uint8_t> symbols = means.symbols.symbols_of(trial.raw);
  try {
    Block block = best_bootstrap(means, symbols, trial);
    trial.settled = means.settings.methods == Methods::model_only &&
                    block.payload.size() <= archive::max_block_bytes;
    return block;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return std::nullopt;
  }
}

ByteVector decode_by_model(const BlockMeans& means, const Block& block, const BlockView& view,
                           std::uint64_t number) {
  Message message = Message::parse(block.payload, static_cast<int>(block.lanes));
  const codec::Scheme* scheme = means.settings.scheme;
  if (scheme == nullptr || !view.for_model || block.bootstrap_items > view.items)
    fail(ErrorKind::data, "", "is coded by a model that does not fit it");
  std::vector<std::uint8_t> symbols(view.bytes);
  const std::size_t tail =
      symbols.size() - symbols_of_last(*scheme, block.bootstrap_items, symbols.size());
  scheme->decode(message, std::span(symbols).first(tail), number);
  if (block.bootstrap_items > 0) {
    const auto rest =
        codec::pop_fallback_forms(message, symbols.size() - tail, forms_of(view, means.two_levels));
    std::ranges::copy(rest, symbols.begin() + static_cast<std::ptrdiff_t>(tail));
  }
  ByteVector bytes = means.symbols.bytes_of(symbols);
  message.check_end(block.borrowed);
  return bytes;
}

// 3 and 4. The adaptive coder, with the model as one of its voices or alone.

bool may_learn(const BlockMeans& means, const BlockTrial& trial) {
  return may_code_alone(means, trial) && means.effort != Effort::fast;
}

const SeenBlock& seen_in(BlockTrial& trial) {
  if (!trial.seen) {
    SeenBlock seen;
    seen.packed = can_be_packed(trial.view) && holds_two_levels(trial.raw);
    seen.data = values_of(seen.packed ? pack_rows(trial.raw, trial.view) : trial.raw);
    for (const archive::BlockForm& form : trial.view.likely)
      if (codec::adaptive::fits(form_of(form), seen.data.size()))
        seen.forms.push_back(form_of(form));
    if (seen.forms.empty())
      seen.forms =
          codec::adaptive::likely_forms(seen.data, known_forms(trial.view, trial.raw, seen.packed));
    trial.seen = std::move(seen);
  }
  return *trial.seen;
}

bool adaptive_applies(const BlockMeans& means, BlockTrial& trial) {
  if (!may_learn(means, trial)) return false;
  const SeenBlock& seen = seen_in(trial);
  return means.effort == Effort::best || !means.settings.prime.empty() ||
         !codec::adaptive::gains_nothing(seen.data, seen.forms.front());
}

bool mixed_applies(const BlockMeans& means, BlockTrial& trial) {
  return model_applies(means, trial) && may_learn(means, trial);
}

codec::adaptive::Start start_of(const BlockMeans& means, const archive::BlockForm& form) {
  using codec::adaptive::Level;
  const bool best = means.effort == Effort::best && !form.at_normal;
  const Level level = best ? Level::best : Level::normal;
  if (!form.reads_before) return level;
  const ByteView prime = means.settings.prime;
  if (prime.empty()) return {level, codec::adaptive::first_text(), means.taught};
  return {level, {reinterpret_cast<const std::uint8_t*>(prime.data()), prime.size()}};
}

// What the first text teaches is kept where there is room for a copy.
void fit_memory(const BlockMeans& means, std::size_t size, codec::adaptive::Start& start) {
  const std::size_t read = size + start.before.size();
  const std::uint64_t memory = means.settings.memory,
                      need = codec::adaptive::memory_for(read, start.level);
  if (need > memory)
    fail(ErrorKind::refused, "",
         "a block takes " + human_bytes(need) + ", more than " + human_bytes(memory),
         "--memory allows more");
  if (need > memory / 2) start.taught = nullptr;
}

// What the model has to say of such a block; null where it cannot be asked.
std::unique_ptr<codec::SymbolAdviser> adviser_for(const BlockMeans& means, const BlockView& view,
                                                  bool packed) {
  if (means.settings.scheme == nullptr || !view.for_model) return nullptr;
  auto model = means.settings.scheme->next_symbol();
  if (model == nullptr) return nullptr;
  codec::SymbolAdviser::Bytes bytes{.alphabet = means.symbols.alphabet(), .packed_row = 0};
  if (packed) {
    const archive::RasterShape& shape = view.rasters.front().shape;
    bytes.packed_row = static_cast<std::size_t>(shape.width * shape.channels);
  }
  return std::make_unique<codec::SymbolAdviser>(std::move(model), std::move(bytes));
}

bool is_of_letters(const codec::adaptive::Form& form) {
  using codec::adaptive::Kind;
  return form.kind == Kind::text || form.kind == Kind::records || form.kind == Kind::molecules;
}

// At the effort normal the likeliest form is taken; at best all are tried, and the likeliest at the
// level normal, too, which may learn sooner. Each where that may pay also after what is read first.
std::vector<archive::BlockForm> forms_to_try(const BlockMeans& means, BlockTrial& trial) {
  const SeenBlock& seen = seen_in(trial);
  const bool best = means.effort == Effort::best;
  std::vector<archive::BlockForm> tried;
  const auto add = [&](const codec::adaptive::Form& form, bool reads_before) {
    tried.push_back(block_form(form));
    tried.back().reads_before = reads_before;
  };
  const std::size_t size = seen.data.size();
  const bool no_prime = means.settings.prime.empty(),
             primed = !no_prime && trial.view.may_read_prime;
  const codec::adaptive::Form& likeliest = seen.forms.front();
  if (no_prime && is_of_letters(likeliest) && size >= least_after_text && size <= most_after_text)
    add({}, true);
  if (primed) add(likeliest, true);
  add(likeliest, false);
  if (!best) return tried;
  for (const archive::BlockForm& form : std::vector(tried)) {
    tried.push_back(form);
    tried.back().at_normal = true;
  }
  for (std::size_t i = 1; i < seen.forms.size(); ++i) {
    if (primed) add(seen.forms[i], true);
    add(seen.forms[i], false);
  }
  return tried;
}

// Nothing where it would take as many bytes as the best so far, or where the model has no say.
template <Coder coder>
std::optional<Block> encode_learning(const BlockMeans& means, BlockTrial& trial) {
  const SeenBlock& seen = seen_in(trial);
  std::optional<Block> best;
  std::size_t most = trial.limit;
  const auto attempt = [&](const archive::BlockForm& tried) {
    codec::adaptive::Start start = start_of(means, tried);
    fit_memory(means, seen.data.size(), start);
    const auto adviser =
        coder == Coder::mixed ? adviser_for(means, trial.view, seen.packed) : nullptr;
    if (coder == Coder::mixed && adviser == nullptr) return;
    const codec::adaptive::Form form = form_of(tried);
    Block block;
    block.coder = coder;
    block.two_levels = seen.packed;
    block.form = tried;
    const std::size_t left = most - std::min(most, means.bytes_of(block));
    block.payload = adviser != nullptr
                        ? codec::adaptive::encode_advised(seen.data, form, start, *adviser, left)
                        : codec::adaptive::encode(seen.data, form, start, left);
    if (block.payload.size() >= left) return;
    most = means.bytes_of(block);
    best = std::move(block);
  };
  for (const archive::BlockForm& tried : forms_to_try(means, trial)) attempt(tried);
  return best;
}

ByteVector decode_learning(const BlockMeans& means, const Block& block, const BlockView& view,
                           std::uint64_t) {
  if (block.two_levels && !can_be_packed(view))
    fail(ErrorKind::data, "", "has settings that its coder does not have");
  const auto adviser =
      block.coder == Coder::mixed ? adviser_for(means, view, block.two_levels) : nullptr;
  if (block.coder == Coder::mixed && adviser == nullptr)
    fail(ErrorKind::data, "", "is coded by a model that does not fit it");
  const std::size_t size = block.two_levels ? packed_bytes(view) : view.bytes;
  codec::adaptive::Start start = start_of(means, block.form);
  fit_memory(means, size, start);
  const codec::adaptive::Form form = form_of(block.form);
  std::vector<std::uint8_t> data;
  codec::reading([&] {
    data = adviser != nullptr
               ? codec::adaptive::decode_advised(block.payload, size, form, start, *adviser)
               : codec::adaptive::decode(block.payload, size, form, start);
  });
  const ByteVector bytes = bytes_of_values(data);
  return block.two_levels ? unpack_rows(bytes, view) : bytes;
}

// 5. The fallback coder.

// Ten neighbours say nearly all of a bit, and what they say is learned at once; of a few bytes
// the adaptive coder does not learn much either.
bool fallback_applies(const BlockMeans& means, BlockTrial& trial) {
  if (!may_code_alone(means, trial)) return false;
  return means.effort == Effort::fast || trial.raw.size() <= few_bytes ||
         (can_be_packed(trial.view) && holds_two_levels(trial.raw));
}

std::optional<Block> encode_fallback(const BlockMeans&, BlockTrial& trial) {
  Block block;
  block.coder = Coder::fallback;
  block.two_levels = !trial.view.rasters.empty() && holds_two_levels(trial.raw);
  Message message(trial.raw.size() < small_block ? 1 : fallback_lanes);
  codec::push_fallback_forms(message, values_of(trial.raw), forms_of(trial.view, block.two_levels));
  fill_from(block, message);
  return block;
}

ByteVector decode_fallback(const BlockMeans&, const Block& block, const BlockView& view,
                           std::uint64_t) {
  Message message = Message::parse(block.payload, static_cast<int>(block.lanes));
  if (block.two_levels && view.rasters.empty())
    fail(ErrorKind::data, "", "has settings that its coder does not have");
  ByteVector bytes = bytes_of_values(
      codec::pop_fallback_forms(message, view.bytes, forms_of(view, block.two_levels)));
  message.check_end(block.borrowed);
  return bytes;
}

// In the order in which they are tried: each knows what it has to beat, and where two are equally
// short the earlier one stays.
constexpr BlockCandidate candidates[] = {
    {Coder::stored, always, store, take_stored},
    {Coder::model, model_applies, encode_by_model, decode_by_model},
    {Coder::mixed, mixed_applies, encode_learning<Coder::mixed>, decode_learning},
    {Coder::adaptive, adaptive_applies, encode_learning<Coder::adaptive>, decode_learning},
    {Coder::fallback, fallback_applies, encode_fallback, decode_fallback},
};
static_assert(std::size(candidates) == archive::block_coders);

}  // namespace

std::span<const BlockCandidate> block_candidates() { return candidates; }

}  // namespace logpx::compress
