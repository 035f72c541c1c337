#include "libcore/codec/sequence.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/next_symbol.hpp"
#include "libcore/codec/tables.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace logpx::codec {
namespace {

class SymbolsOfState final : public NextSymbol {
 public:
  SymbolsOfState(std::unique_ptr<SequenceState> state, std::size_t item)
      : state_(std::move(state)), item_(item) {
    state_->begin(1);
  }
  [[nodiscard]] std::span<const double> weights() override { return state_->weights(1); }
  void advance(std::uint32_t symbol) override {
    state_->advance(std::span(&symbol, 1));
    if (++place_ == item_) {
      state_->begin(1);
      place_ = 0;
    }
  }

 private:
  std::unique_ptr<SequenceState> state_;
  std::size_t item_, place_ = 0;
};

// With fewer items to a strand, fewer strands code shorter.
constexpr std::size_t least_carried = 16;

void check_symbol(std::uint32_t symbol, std::size_t alphabet) {
  if (symbol >= alphabet)
    fail(ErrorKind::data, "",
         "symbol " + std::to_string(symbol) + " is outside the model's alphabet of " +
             std::to_string(alphabet));
}

// Calls code(item of the round, its position, weights) for every symbol in the order of coding; it
// returns the symbol.
template <typename Windows, typename Code>
void walk(SequenceState& state, const SequenceRound& round, const Windows& windows, Code code) {
  std::size_t going = windows.symbols.size();
  if (round.begins) state.begin(going);
  std::vector<std::uint32_t> came(going);
  for (std::size_t i = 0; going > 0; ++i) {
    while (going > 0 && windows.symbols[going - 1].size() <= i) --going;
    if (going == 0) break;
    const std::span<const double> weights = state.weights(going);
    const std::size_t alphabet = weights.size() / going;
    for (std::size_t w = 0; w < going; ++w)
      came[w] = code(w, i, weights.subspan(w * alphabet, alphabet));
    state.advance(std::span(came).first(going));
  }
}

}  // namespace

void SequenceCoding::to_symbols(std::span<const std::uint8_t> item,
                                std::span<std::uint32_t> symbols) const {
  std::ranges::copy(item, symbols.begin());
}

bool SequenceCoding::to_item(std::span<const std::uint32_t> symbols,
                             std::span<std::uint8_t> item) const {
  std::ranges::transform(symbols, item.begin(),
                         [](std::uint32_t symbol) { return static_cast<std::uint8_t>(symbol); });
  return std::ranges::all_of(symbols, [](std::uint32_t symbol) { return symbol < 256; });
}

std::unique_ptr<NextSymbol> symbols_of_state(std::unique_ptr<SequenceState> state,
                                             std::size_t item) {
  return std::make_unique<SymbolsOfState>(std::move(state), item);
}

std::unique_ptr<NextSymbol> SequenceCoding::next_symbol() const { return nullptr; }

std::vector<SequenceRound> rounds_of(std::size_t items, const SequenceSettings& settings) {
  std::vector<SequenceRound> rounds;
  if (settings.carry == Carry::none) {
    for (std::size_t i = 0; i < items; ++i) {
      if (i % settings.interleave == 0) rounds.push_back({});
      rounds.back().items.push_back(i);
    }
    return rounds;
  }
  const std::size_t strands =
      std::min(settings.interleave, std::max<std::size_t>(1, items / least_carried));
  const std::size_t whole = items / strands, longer = items % strands;
  for (std::size_t r = 0; r < whole + (longer > 0 ? 1 : 0); ++r) {
    SequenceRound& round = rounds.emplace_back(SequenceRound{.items = {}, .begins = r == 0});
    for (std::size_t s = 0; s < (r < whole ? strands : longer); ++s)
      round.items.push_back(s * whole + std::min(s, longer) + r);
  }
  return rounds;
}

Sequential::Sequential(std::shared_ptr<const SequenceCoding> coding, SequenceSettings settings)
    : coding_(std::move(coding)), settings_(settings) {
  LOGPX_ASSERT(1 <= settings.interleave && settings.interleave <= most_interleaved);
  LOGPX_ASSERT(settings.carry == Carry::none || coding_->carries());
}

std::unique_ptr<NextSymbol> Sequential::next_symbol() const { return coding_->next_symbol(); }

std::size_t Sequential::Windows::total() const {
  std::size_t sum = 0;
  for (const auto& window : symbols) sum += window.size();
  return sum;
}

Sequential::Windows Sequential::windows_for(std::size_t symbols, const SequenceRound& round) const {
  Windows windows;
  for (const std::size_t item : round.items) {
    const std::size_t begin = item * item_size();
    windows.symbols.emplace_back(coding_->symbols_in(std::min(item_size(), symbols - begin)));
  }
  return windows;
}

Sequential::Windows Sequential::windows_of(std::span<const std::uint8_t> items,
                                           const SequenceRound& round) const {
  Windows windows = windows_for(items.size(), round);
  for (std::size_t w = 0; w < round.items.size(); ++w)
    coding_->to_symbols(item_of(items, round.items[w]), windows.symbols[w]);
  return windows;
}

void Sequential::encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t,
                        Costs& costs) const {
  const det::FpEnvironment plain;
  const auto state = coding_->start();
  std::vector<Slot> slots;
  std::vector<std::size_t> ends;  // of the rounds among the slots
  slots.reserve(items.size());
  SummedTable table;
  for (const SequenceRound& round : rounds_of(items_in(items.size()), settings_)) {
    const Windows windows = windows_of(items, round);
    walk(*state, round, windows, [&](std::size_t w, std::size_t i, std::span<const double> next) {
      const std::uint32_t symbol = windows.symbols[w][i];
      table.assign_leaky(next, settings_.precision);
      check_symbol(symbol, table.n());
      slots.push_back(slot_of(table, symbol));
      return symbol;
    });
    ends.push_back(slots.size());
  }
  const std::size_t lanes = static_cast<std::size_t>(message.lanes());
  const double before = message.bits();
  for (std::size_t round = ends.size(); round-- > 0;) {
    const std::size_t begin = round == 0 ? 0 : ends[round - 1];
    for (std::size_t i = ends[round]; i-- > begin;)
      message.push(slots[i], settings_.precision, static_cast<int>((i - begin) % lanes));
  }
  costs.of(Part::likelihood) += message.bits() - before;
}

void Sequential::decode(Message& message, std::span<std::uint8_t> items, std::uint64_t) const {
  const det::FpEnvironment plain;
  const std::size_t lanes = static_cast<std::size_t>(message.lanes());
  const auto state = coding_->start();
  SummedTable table;
  for (const SequenceRound& round : rounds_of(items_in(items.size()), settings_)) {
    Windows windows = windows_for(items.size(), round);
    std::size_t place = 0;
    reading([&] {
      walk(*state, round, windows, [&](std::size_t w, std::size_t i, std::span<const double> next) {
        table.assign_leaky(next, settings_.precision);
        const std::uint32_t symbol = pop(message, table, static_cast<int>(place++ % lanes));
        windows.symbols[w][i] = symbol;
        return symbol;
      });
    });
    for (std::size_t w = 0; w < round.items.size(); ++w)
      if (!coding_->to_item(windows.symbols[w], item_of(items, round.items[w])))
        corrupt("symbols that no item has");
  }
}

void Sequential::score(std::span<const std::uint8_t> items, Rng, std::uint32_t,
                       std::span<double> nats) const {
  const auto state = coding_->start();
  std::ranges::fill(nats, 0.0);
  for (const SequenceRound& round : rounds_of(items_in(items.size()), settings_)) {
    const Windows windows = windows_of(items, round);
    walk(*state, round, windows, [&](std::size_t w, std::size_t i, std::span<const double> next) {
      const std::uint32_t symbol = windows.symbols[w][i];
      check_symbol(symbol, next.size());
      double total = 0.0;
      for (const double weight : next) total = total + weight;
      nats[round.items[w]] += det_log(next[symbol] / total);
      return symbol;
    });
  }
}

}  // namespace logpx::codec
