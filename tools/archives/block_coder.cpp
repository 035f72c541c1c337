#include "tools/archives/block_coder.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/first_text.hpp"
#include "libcore/codec/adaptive/gain.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "tools/archives/packed_rows.hpp"

#include <algorithm>
#include <numbers>

namespace logpx::compress {
namespace {

using archive::Block;
using archive::BlockView;
using archive::ByteVector;
using archive::ByteView;
using codec::Message;
using Coder = archive::BlockCoder;

constexpr std::size_t least_tried = 8;  // items that an attempt to bootstrap codes
// A lane costs eight bytes and makes the fallback coder faster, which does not matter in small
// blocks.
constexpr std::size_t small_block = 1 << 16;
constexpr std::size_t few_bytes = 1 << 10;
constexpr int fallback_lanes = 4;
// Sizes of blocks for which the first text is tried: it helps only at the beginning.
constexpr std::size_t least_after_text = 16, most_after_text = 1 << 16;

std::vector<std::uint8_t> values_of(archive::ByteView bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {first, first + bytes.size()};
}

ByteVector bytes_of_values(std::span<const std::uint8_t> values) {
  const archive::ByteView view = std::as_bytes(values);
  return {view.begin(), view.end()};
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

bool holds_two_levels(ByteView samples) {
  return std::ranges::all_of(samples, [](std::byte b) { return b <= std::byte{1}; });
}

void fill_from(Block& block, const Message& message) {
  block.payload = message.serialise();
  block.lanes = static_cast<std::uint32_t>(message.lanes());
  block.borrowed = message.borrowed();
}

}  // namespace

// Text as symbols; samples are symbols already.
std::vector<std::uint8_t> SymbolMap::symbols_of(archive::ByteView bytes) const {
  std::vector<std::uint8_t> symbols = values_of(bytes);
  if (!alphabet_.empty())
    for (std::uint8_t& symbol : symbols) {
      const std::size_t at = alphabet_.find(static_cast<char>(symbol));
      if (at == std::string::npos)
        fail(ErrorKind::data, "", "holds a symbol that is not in the model's alphabet");
      symbol = static_cast<std::uint8_t>(at);
    }
  const auto strange = std::ranges::find_if(symbols, [&](std::uint8_t v) { return v >= levels_; });
  if (strange != symbols.end())
    fail(ErrorKind::data, "",
         "holds a sample of " + std::to_string(*strange) + ", the model knows 0 to " +
             std::to_string(levels_ - 1),
         "--fallback-only or --store codes it without the model");
  return symbols;
}

ByteVector SymbolMap::bytes_of(std::span<const std::uint8_t> symbols) const {
  ByteVector bytes = bytes_of_values(symbols);
  if (alphabet_.empty()) return bytes;
  for (std::byte& byte : bytes) {
    const auto symbol = std::to_integer<std::size_t>(byte);
    if (symbol >= alphabet_.size()) codec::corrupt("a symbol outside the alphabet");
    byte = static_cast<std::byte>(alphabet_[symbol]);
  }
  return bytes;
}

Block BlockCoder::encode_fallback(ByteView raw, const BlockView& view) const {
  Block block;
  block.coder = Coder::fallback;
  block.two_levels = !view.rasters.empty() && holds_two_levels(raw);
  Message message(raw.size() < small_block ? 1 : fallback_lanes);
  codec::push_fallback_forms(message, values_of(raw), forms_of(view, block.two_levels));
  fill_from(block, message);
  return block;
}

codec::adaptive::Start BlockCoder::start(bool reads_before) const {
  using codec::adaptive::Level;
  const Level level = effort_ == archive::Effort::best ? Level::best : Level::normal;
  if (!reads_before) return level;
  if (settings_.prime.empty()) return {level, codec::adaptive::first_text()};
  const auto* first = reinterpret_cast<const std::uint8_t*>(settings_.prime.data());
  return {level, {first, settings_.prime.size()}};
}

void BlockCoder::check_memory(std::size_t size, const codec::adaptive::Start& start) const {
  const std::size_t read = size + start.before.size();
  if (const std::uint64_t need = codec::adaptive::memory_for(read, start.level);
      need > settings_.memory)
    fail(ErrorKind::refused, "",
         "a block takes " + human_bytes(need) + ", more than " + human_bytes(settings_.memory),
         "--memory allows more");
}

BlockCoder::Seen BlockCoder::see(ByteView raw, const BlockView& view) const {
  Seen seen;
  seen.packed = can_be_packed(view) && holds_two_levels(raw);
  seen.data = values_of(seen.packed ? pack_rows(raw, view) : raw);
  seen.form = codec::adaptive::likely_form(seen.data, known_forms(view, seen.packed));
  return seen;
}

std::unique_ptr<codec::SymbolAdviser> BlockCoder::adviser_for(const BlockView& view,
                                                              bool packed) const {
  if (settings_.scheme == nullptr || !view.for_model) return nullptr;
  auto model = settings_.scheme->next_symbol();
  if (model == nullptr) return nullptr;
  codec::SymbolAdviser::Bytes bytes{.alphabet = symbols_.alphabet(), .packed_row = 0};
  if (packed) {
    const archive::RasterShape& shape = view.rasters.front().shape;
    bytes.packed_row = static_cast<std::size_t>(shape.width * shape.channels);
  }
  return std::make_unique<codec::SymbolAdviser>(std::move(model), std::move(bytes));
}

// Nothing if it would take `limit` bytes or more, or if the model cannot advise.
std::optional<Block> BlockCoder::encode_adaptive(const Seen& seen, const BlockView& view,
                                                 Coder coder, std::size_t limit) const {
  using codec::adaptive::Form, codec::adaptive::Kind;
  Block block;
  block.coder = coder;
  block.two_levels = seen.packed;
  std::size_t most = limit;
  const auto attempt = [&](const Form& tried, bool reads_before) {
    const codec::adaptive::Start begun = start(reads_before);
    check_memory(seen.data.size(), begun);
    const auto adviser = coder == Coder::mixed ? adviser_for(view, seen.packed) : nullptr;
    if (coder == Coder::mixed && adviser == nullptr) return;
    ByteVector coded = adviser != nullptr ? codec::adaptive::encode_advised(seen.data, tried, begun,
                                                                            *adviser, most)
                                          : codec::adaptive::encode(seen.data, tried, begun, most);
    if (coded.size() >= most) return;
    most = coded.size();
    block.payload = std::move(coded);
    block.form = {static_cast<std::uint8_t>(tried.kind), tried.row, tried.plane, reads_before};
  };
  const std::size_t size = seen.data.size();
  const bool of_letters = seen.form.kind == Kind::text || seen.form.kind == Kind::records ||
                          seen.form.kind == Kind::molecules;
  if (!settings_.prime.empty()) attempt(seen.form, true);
  else if (of_letters && size >= least_after_text && size <= most_after_text) attempt({}, true);
  attempt(seen.form, false);
  if (most == limit) return std::nullopt;
  return block;
}

ByteVector BlockCoder::decode_adaptive(const Block& block, const BlockView& view) const {
  if (block.two_levels && !can_be_packed(view))
    fail(ErrorKind::data, "", "has settings that its coder does not have");
  const auto adviser = block.coder == Coder::mixed ? adviser_for(view, block.two_levels) : nullptr;
  if (block.coder == Coder::mixed && adviser == nullptr)
    fail(ErrorKind::data, "", "is coded by a model that does not fit it");
  const std::size_t size = block.two_levels ? packed_bytes(view) : view.bytes;
  const codec::adaptive::Start begun = start(block.form.reads_before);
  check_memory(size, begun);
  const codec::adaptive::Form form{static_cast<codec::adaptive::Kind>(block.form.kind),
                                   block.form.row, block.form.plane};
  std::vector<std::uint8_t> data;
  codec::reading([&] {
    data = adviser != nullptr
               ? codec::adaptive::decode_advised(block.payload, size, form, begun, *adviser)
               : codec::adaptive::decode(block.payload, size, form, begun);
  });
  const ByteVector bytes = bytes_of_values(data);
  return block.two_levels ? unpack_rows(bytes, view) : bytes;
}

// The last item may be shorter than the others.
std::size_t BlockCoder::symbols_of_last(std::size_t items, std::size_t symbols) const {
  if (items == 0) return 0;
  const codec::Scheme& scheme = *settings_.scheme;
  return symbols - (scheme.items_in(symbols) - items) * scheme.item_size();
}

// The last `bootstrap` items go first, by the fallback coder: their bits seed what follows.
// [codec/README 6]
Block BlockCoder::encode_model(std::span<const std::uint8_t> symbols, const BlockView& view,
                               std::uint64_t number, Attempt& attempt) const {
  const std::size_t tail = symbols.size() - symbols_of_last(attempt.bootstrap, symbols.size());
  Message message(settings_.model_lanes);
  const double before = message.bits();
  const auto items = static_cast<std::uint32_t>(attempt.bootstrap);
  if (items > 0)
    codec::push_fallback_forms(message, symbols.subspan(tail), forms_of(view, two_levels_));
  attempt.costs = {};
  attempt.costs.of(codec::Part::bootstrap) = message.bits() - before;
  settings_.scheme->encode(message, symbols.first(tail), number, attempt.costs);
  Block block;
  block.coder = Coder::model;
  block.bootstrap_items = items;
  fill_from(block, message);
  return block;
}

// Tries to bootstrap with m = 0, 1, 2, 4 ... items until nothing is borrowed; the shortest wins.
// They differ only at the beginning, so only those items are tried and the whole block is coded
// once. A model that must code alone has no other coder to get bits from, and borrows.
Block BlockCoder::best_model(std::span<const std::uint8_t> symbols, const BlockView& view,
                             std::uint64_t number, codec::Costs& costs) const {
  const auto code = [&](std::size_t items, Attempt& attempt) {
    const std::size_t count = symbols_of_last(items, symbols.size());
    return encode_model(symbols.last(count), view, number, attempt);
  };
  Block best;
  Attempt chosen;
  std::size_t tried = 0;  // items
  for (std::size_t m = 0; m <= view.items; m = m == 0 ? 1 : 2 * m) {
    if (const auto wanted = std::min<std::size_t>(view.items, std::max(least_tried, 4 * m));
        wanted > tried) {
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
    if (seeded || settings_.methods == Methods::model_only) break;
  }
  if (tried < view.items) best = code(view.items, chosen);
  costs = chosen.costs;
  return best;
}

// Nothing if an item is refused by the model although it knows all its symbols.
std::optional<Block> BlockCoder::modelled(ByteView raw, const BlockView& view, std::uint64_t number,
                                          codec::Costs& costs) const {
  const std::vector<std::uint8_t> symbols = symbols_.symbols_of(raw);
  try {
    return best_model(symbols, view, number, costs);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return std::nullopt;
  }
}

std::optional<std::uint64_t> BlockCoder::dims_of(const Block& block, ByteView raw) const {
  if (block.coder != Coder::model) return std::nullopt;
  return settings_.scheme->dims_in(symbols_.symbols_of(raw));
}

double BlockCoder::bound_bits(archive::ByteView raw, std::uint64_t first) const {
  const std::vector<std::uint8_t> symbols = symbols_.symbols_of(raw);
  std::vector<double> nats(settings_.scheme->items_in(symbols.size()));
  settings_.scheme->score(symbols, settings_.rng, static_cast<std::uint32_t>(first), nats);
  double sum = 0;
  for (const double value : nats) sum -= value;
  return sum / std::numbers::ln2;
}

Block BlockCoder::encode(ByteView raw, const BlockView& view, std::uint64_t number,
                         BlockFigures& figures) const {
  LOGPX_ASSERT(raw.size() == view.bytes);
  Block block;
  block.payload.assign(raw.begin(), raw.end());
  const auto take = [&](Block other) {
    if (other.payload.size() < block.payload.size()) block = std::move(other);
  };
  double start = wall_seconds();
  const bool by_model =
      settings_.methods >= Methods::model && settings_.scheme != nullptr && view.for_model;
  if (by_model) {
    codec::Costs costs;
    std::optional<Block> coded = modelled(raw, view, number, costs);
    if (coded && settings_.methods == Methods::model_only &&
        coded->payload.size() <= archive::max_block_bytes)
      block = std::move(*coded);
    else if (coded) take(std::move(*coded));
    if (block.coder == Coder::model) figures.costs = costs;
  }
  figures.model_seconds = wall_seconds() - start;
  start = wall_seconds();
  const bool settled = settings_.methods == Methods::model_only && block.coder == Coder::model;
  if (settings_.methods != Methods::store && !raw.empty() && !settled) {
    if (effort_ != archive::Effort::fast) {
      const Seen seen = see(raw, view);
      const double seen_by = wall_seconds();
      const bool hopeless = effort_ == archive::Effort::normal && settings_.prime.empty() &&
                            codec::adaptive::gains_nothing(seen.data, seen.form);
      for (const Coder coder : {Coder::mixed, Coder::adaptive}) {
        if (coder == Coder::mixed ? !by_model : hopeless) continue;
        if (auto coded = encode_adaptive(seen, view, coder, block.payload.size())) take(*coded);
        if (coder == Coder::mixed) figures.mixed_seconds = wall_seconds() - seen_by;
      }
    }
    const double between = wall_seconds();
    figures.adaptive_seconds = between - start - figures.mixed_seconds;
    // Ten neighbours predict a bit almost fully, and that is learned quickly; from a few bytes
    // neither coder learns much.
    if (effort_ == archive::Effort::fast || raw.size() <= few_bytes ||
        (can_be_packed(view) && holds_two_levels(raw)))
      take(encode_fallback(raw, view));
    figures.fallback_seconds = wall_seconds() - between;
  }
  if (block.coder != Coder::model) figures.costs = {};
  else if (settings_.score == Score::on)
    figures.bound_bits = bound_bits(raw, number * static_cast<std::uint64_t>(per_block_));
  figures.dims = dims_of(block, raw);
  block.raw_bytes = view.bytes;
  block.items = view.items;
  block.raw_crc = archive::crc32_of(raw);
  start = wall_seconds();
  if (settings_.verify == Verify::on && !std::ranges::equal(decode(block, view, number), raw))
    fail(ErrorKind::io, "", "a block decodes to something else (a bug, or a faulty machine)");
  figures.verify_seconds = wall_seconds() - start;
  return block;
}

ByteVector BlockCoder::decode(const Block& block, const BlockView& view,
                              std::uint64_t number) const {
  const bool adaptive = block.coder == Coder::adaptive || block.coder == Coder::mixed;
  ByteVector raw = block.coder == Coder::stored ? block.payload
                   : adaptive                   ? decode_adaptive(block, view)
                                                : decode_message(block, view, number);
  if (raw.size() != view.bytes)
    fail(ErrorKind::data, "", "holds another number of bytes than it declares");
  if (archive::crc32_of(raw) != block.raw_crc)
    fail(ErrorKind::data, "", "content checksum differs: the archive is damaged");
  return raw;
}

ByteVector BlockCoder::decode_message(const Block& block, const BlockView& view,
                                      std::uint64_t number) const {
  Message message = Message::parse(block.payload, static_cast<int>(block.lanes));
  ByteVector bytes;
  if (block.coder == Coder::fallback) {
    if (block.two_levels && view.rasters.empty())
      fail(ErrorKind::data, "", "has settings that its coder does not have");
    bytes = bytes_of_values(
        codec::pop_fallback_forms(message, view.bytes, forms_of(view, block.two_levels)));
  } else {
    if (settings_.scheme == nullptr || !view.for_model || block.bootstrap_items > view.items)
      fail(ErrorKind::data, "", "is coded by a model that does not fit it");
    std::vector<std::uint8_t> symbols(view.bytes);
    const std::size_t tail =
        symbols.size() - symbols_of_last(block.bootstrap_items, symbols.size());
    settings_.scheme->decode(message, std::span(symbols).first(tail), number);
    if (block.bootstrap_items > 0) {
      const auto rest =
          codec::pop_fallback_forms(message, symbols.size() - tail, forms_of(view, two_levels_));
      std::ranges::copy(rest, symbols.begin() + static_cast<std::ptrdiff_t>(tail));
    }
    bytes = symbols_.bytes_of(symbols);
  }
  message.check_end(block.borrowed);
  return bytes;
}

}  // namespace logpx::compress
