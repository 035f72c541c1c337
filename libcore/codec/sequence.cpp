#include "libcore/codec/sequence.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/tables.hpp"

#include <string>

namespace logpx::codec {
namespace {

void check_symbol(std::uint32_t symbol, std::size_t alphabet) {
  if (symbol >= alphabet)
    fail(ErrorKind::data, "",
         "symbol " + std::to_string(symbol) + " is outside the model's alphabet of " +
             std::to_string(alphabet));
}

}  // namespace

void Sequential::encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t,
                        Costs& costs) const {
  const det::FpEnvironment plain;
  const std::size_t size = item_size(), lanes = static_cast<std::size_t>(message.lanes());
  const auto state = coding_.start();
  std::vector<Slot> slots;
  slots.reserve(items.size());
  Table table;
  for (std::size_t item = 0; item < items_in(items.size()); ++item) {
    const auto x = item_of(items, item);
    state->start_item();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::uint32_t symbol = x[coding_.position(i)];
      table.assign_leaky(state->weights(), precision_);
      check_symbol(symbol, table.n());
      slots.push_back(slot_of(table, symbol));
      state->advance(symbol);
    }
  }
  const double before = message.bits();
  for (std::size_t i = slots.size(); i-- > 0;)
    message.push(slots[i], precision_, static_cast<int>(i % size % lanes));
  costs.of(Part::likelihood) += message.bits() - before;
}

void Sequential::decode(Message& message, std::span<std::uint8_t> items, std::uint64_t) const {
  const det::FpEnvironment plain;
  const std::size_t lanes = static_cast<std::size_t>(message.lanes());
  const auto state = coding_.start();
  Table table;
  for (std::size_t item = 0; item < items_in(items.size()); ++item) {
    const auto x = item_of(items, item);
    state->start_item();
    reading([&] {
      for (std::size_t i = 0; i < x.size(); ++i) {
        table.assign_leaky(state->weights(), precision_);
        const std::uint32_t symbol = pop(message, table, static_cast<int>(i % lanes));
        x[coding_.position(i)] = static_cast<std::uint8_t>(symbol);
        state->advance(symbol);
      }
    });
  }
}

void Sequential::score(std::span<const std::uint8_t> items, Rng, std::uint32_t,
                       std::span<double> nats) const {
  const auto state = coding_.start();
  for (std::size_t item = 0; item < nats.size(); ++item) {
    const auto x = item_of(items, item);
    state->start_item();
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::uint32_t symbol = x[coding_.position(i)];
      const std::span<const double> weights = state->weights();
      check_symbol(symbol, weights.size());
      double total = 0.0;
      for (const double w : weights) total = total + w;
      sum += det_log(weights[symbol] / total);
      state->advance(symbol);
    }
    nats[item] = sum;
  }
}

}  // namespace logpx::codec
