// Fuzz target of the coder. The first byte chooses: steps and their undoing, tables of any weights,
// items there and back under each scheme, in order or as a set, hostile messages under each. A
// hostile message gives some items or a data error; anything else is a bug.
#include "libcore/base/error.hpp"
#include "libcore/codec/fallback.hpp"
#include "libcore/codec/item_set.hpp"
#include "libcore/codec/ranked_items.hpp"
#include "libcore/codec/tables.hpp"
#include "tests/support/toy_codings.hpp"

#include <cstring>
#include <memory>

using namespace logpx;
using namespace logpx::codec;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

using Bytes = std::span<const std::uint8_t>;

template <typename T>
T take(Bytes& bytes) {
  T value{};
  const std::size_t size = std::min(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), size);
  bytes = bytes.subspan(size);
  return value;
}

// Push and pop are inverse in either order, whatever the slots are.
void steps(Bytes bytes) {
  struct Done {
    Slot slot;
    int precision, lane;
    bool pushed;
  };
  Message message(4);
  std::vector<Done> all;
  while (bytes.size() >= 9) {
    const auto head = take<std::uint8_t>(bytes);
    const int precision = 1 + head % 28, lane = head / 28 % 4;
    const std::uint32_t total = 1u << precision;
    Slot slot{take<std::uint32_t>(bytes) % total, 0};
    slot.frequency = 1 + take<std::uint32_t>(bytes) % (total - slot.start);
    const bool pushes = head >= 128;
    if (!pushes) slot = {message.peek(precision, lane), 1};
    if (pushes) message.push(slot, precision, lane);
    else message.pop(slot, precision, lane);
    all.push_back({slot, precision, lane, pushes});
  }
  Message read = Message::parse(message.serialise(), 4);
  for (std::size_t i = all.size(); i-- > 0;) {
    const Done& step = all[i];
    if (step.pushed) read.pop(step.slot, step.precision, step.lane);
    else read.push(step.slot, step.precision, step.lane);
  }
  read.check_end(message.borrowed());
}

void tables(Bytes bytes) {
  const int precision = 12 + take<std::uint8_t>(bytes) % 17;
  std::vector<double> weights;
  while (!bytes.empty() && weights.size() < 2048) weights.push_back(take<double>(bytes));
  if (weights.empty()) return;
  try {
    const Table table = Table::leaky(weights, precision);
    for (std::uint32_t s = 0; s < table.n(); ++s) require(table.cdf(s) < table.cdf(s + 1));
    require(table.cdf(table.n()) == 1u << precision);
    static_cast<void>(Table::posterior(weights, precision));
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::numeric);
  }
}

struct Coded {
  std::unique_ptr<Scheme> scheme;
  std::uint32_t alphabet;
};
Coded in_order(std::uint8_t number) {
  static const toy::Vae vae = toy::Vae::random(12, 2, 4);
  static const toy::Chain chain(3, {{-4, 1.0 / 16, 128}, 32});
  static const toy::Hierarchy hierarchy;
  static const toy::Hmm hmm = toy::Hmm::random(9);
  static const toy::LoArm arm = toy::LoArm::random(6);
  static const toy::BernoulliBook book = toy::BernoulliBook::random(9, 12);
  static Workers workers(1);
  const SequenceSettings strands{.interleave = 3, .carry = Carry::state, .precision = 16};
  const BitsBackSettings settings{standard_bins(2, 8, workers), 20};
  switch (number % 8) {
    case 0: return {std::make_unique<BitsBack>(vae, settings), 2};
    case 1: return {std::make_unique<Particles>(vae, settings, 3), 2};
    case 2: return {std::make_unique<BitSwap>(chain, 24), 8};
    case 3: return {std::make_unique<TopDown>(hierarchy, normal_bins(8, workers), 24), 8};
    case 4: return {std::make_unique<Sequential>(hmm, strands), 5};
    case 5: return {std::make_unique<LatentOrder>(arm), 2};
    case 6: return {std::make_unique<KnownOrder>(arm, KnownOrderKind::greedy), 2};
    default: return {std::make_unique<Codebook>(book), 2};
  }
}

bool is_set(std::uint8_t number) { return number >= 128; }

Coded coded_by(std::uint8_t number) {
  Coded coded = in_order(number);
  if (is_set(number)) coded.scheme = std::make_unique<ItemSet>(std::move(coded.scheme), nullptr);
  return coded;
}

std::vector<std::uint8_t> ascending(const Scheme& scheme, const std::vector<std::uint8_t>& items) {
  RankedItems ranked(scheme.item_size());
  for (std::size_t i = 0; i < scheme.items_in(items.size()); ++i)
    static_cast<void>(ranked.add(scheme.item_of(std::span(items), i)));
  std::vector<std::uint8_t> sorted(items.size());
  ranked.copy_to(sorted);
  return sorted;
}

constexpr FallbackForm forms[] = {
    {.kind = FallbackKind::bytes}, {FallbackKind::image, 5, 7, 3}, {FallbackKind::binary, 5, 7, 1}};

void there_and_back(Bytes bytes) {
  const auto number = take<std::uint8_t>(bytes);
  const Coded coded = coded_by(number);
  std::vector<std::uint8_t> items(bytes.begin(), bytes.end());
  items.resize(std::min<std::size_t>(items.size(), 600) / coded.scheme->item_size() *
               coded.scheme->item_size());
  for (std::uint8_t& symbol : items) symbol = static_cast<std::uint8_t>(symbol % coded.alphabet);
  if (is_set(number)) items = ascending(*coded.scheme, items);
  Message message(1 << number / 8 % 4);
  Costs costs;
  push_fallback(message, bytes, forms[number % 2]);
  coded.scheme->encode(message, items, number, costs);
  Message read = Message::parse(message.serialise(), message.lanes());
  std::vector<std::uint8_t> decoded(items.size());
  coded.scheme->decode(read, decoded, number);
  require(decoded == items);
  const auto rest = pop_fallback(read, bytes.size(), forms[number % 2]);
  require(std::equal(rest.begin(), rest.end(), bytes.begin(), bytes.end()));
  read.check_end(message.borrowed());
}

void hostile(Bytes bytes) {
  const auto number = take<std::uint8_t>(bytes);
  const int lanes = 1 << number / 8 % 4;
  const Coded coded = coded_by(number);
  std::vector<std::uint8_t> items(20 * coded.scheme->item_size());
  try {
    Message message = Message::parse(std::as_bytes(bytes), lanes);
    static_cast<void>(pop_fallback(message, 50, forms[number % 3]));
    coded.scheme->decode(message, items, number);
    message.check_end(number);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes bytes(data + 1, size - 1);
  switch (data[0] % 4) {
    case 0: steps(bytes); break;
    case 1: tables(bytes); break;
    case 2: there_and_back(bytes); break;
    default: hostile(bytes);
  }
  return 0;
}
