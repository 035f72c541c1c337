#include "libcore/codec/ordered.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx::codec {
namespace {

constexpr int order_precision = 20;

Slot slot_of_symbol(const SymbolDist& dist, std::uint32_t symbol) {
  return std::visit([&](const auto& d) { return slot_of(d, symbol); }, dist);
}
int precision_of(const SymbolDist& dist) {
  return std::visit([](const auto& d) { return d.precision(); }, dist);
}
double log_probability_of(const SymbolDist& dist, std::uint32_t symbol) {
  return std::visit([&](const auto& d) { return log_probability(d, symbol); }, dist);
}
std::uint8_t pop_symbol(Message& message, const SymbolDist& dist) {
  return static_cast<std::uint8_t>(
      std::visit([&](const auto& d) { return pop(message, d); }, dist));
}

struct CodedSlot {
  Slot slot;
  int precision;
};
void push_backwards(Message& message, const std::vector<CodedSlot>& slots) {
  for (auto s = slots.rbegin(); s != slots.rend(); ++s) message.push(s->slot, s->precision);
}

// The positions that are left, ascending, and the table over them.
class Remaining {
 public:
  explicit Remaining(std::vector<std::uint32_t> positions)
      : positions_(std::move(positions)), weights_(positions_.size()) {}
  template <typename Order>
  std::span<const double> weights(Order& order) {
    const std::span<double> weights = std::span(weights_).first(positions_.size());
    order.order_weights(positions_, weights);
    return weights;
  }
  template <typename Order>
  const Table& prior(Order& order) {
    table_.assign_leaky(weights(order), order_precision);
    return table_;
  }
  template <typename Order>
  const Table& posterior(Order& order) {
    table_.assign_posterior(weights(order), order_precision);
    return table_;
  }
  [[nodiscard]] std::uint32_t index_of(std::uint32_t position) const {
    const auto place = std::lower_bound(positions_.begin(), positions_.end(), position);
    return static_cast<std::uint32_t>(place - positions_.begin());
  }
  std::uint32_t take(std::uint32_t index) {
    const std::uint32_t position = positions_[index];
    positions_.erase(positions_.begin() + index);
    return position;
  }

 private:
  std::vector<std::uint32_t> positions_;
  std::vector<double> weights_;
  Table table_;
};

// How many of the symbols the items have: all, or those that their forms tell.
std::uint64_t own_dims(const Scheme& scheme, const ItemForms* forms,
                       std::span<const std::uint8_t> items) {
  if (forms == nullptr) return items.size();
  std::uint64_t dims = 0;
  for (std::size_t i = 0; i < scheme.items_in(items.size()); ++i)
    dims += forms->positions(forms->form_of(scheme.item_of(items, i))).size();
  return dims;
}

// The positions of a known item.
void find_positions(OrderVariables& v) {
  if (v.forms != nullptr) {
    v.positions = v.forms->positions(v.forms->form_of(v.x));
    return;
  }
  v.positions.resize(v.x.size());
  std::iota(v.positions.begin(), v.positions.end(), 0u);
}

void push_form(Message& message, OrderVariables& v) {
  if (v.forms == nullptr) return;
  const Table& table = v.forms->table();
  message.push(slot_of(table, v.forms->form_of(v.x)), table.precision());
}

void pop_form(Message& message, OrderVariables& v) {
  if (v.forms == nullptr) return find_positions(v);
  std::ranges::fill(v.x, v.forms->elsewhere());
  v.positions = v.forms->positions(pop(message, v.forms->table()));
}

double form_nats(const OrderVariables& v) {
  return v.forms == nullptr ? 0 : log_probability(v.forms->table(), v.forms->form_of(v.x));
}

void push_order(Message& message, OrderVariables& v) {
  v.posterior->start_item(v.x);
  Remaining remaining(v.positions);
  std::vector<CodedSlot> slots;
  for (const std::uint32_t position : v.order) {
    const std::uint32_t index = remaining.index_of(position);
    slots.push_back({slot_of(remaining.posterior(*v.posterior), index), order_precision});
    v.posterior->place(remaining.take(index));
  }
  push_backwards(message, slots);
}

void pop_order(Message& message, OrderVariables& v) {
  find_positions(v);
  v.order.resize(v.positions.size());
  v.posterior->start_item(v.x);
  Remaining remaining(v.positions);
  for (std::uint32_t& position : v.order) {
    position = remaining.take(pop(message, remaining.posterior(*v.posterior)));
    v.posterior->place(position);
  }
}

void push_item(Message& message, OrderVariables& v) {
  v.walk->start_item(v.positions);
  Remaining remaining(v.positions);
  std::vector<CodedSlot> slots;
  for (const std::uint32_t position : v.order) {
    const std::uint32_t index = remaining.index_of(position);
    slots.push_back({slot_of(remaining.prior(*v.walk), index), order_precision});
    remaining.take(index);
    const SymbolDist dist = v.walk->symbol(position);
    slots.push_back({slot_of_symbol(dist, v.x[position]), precision_of(dist)});
    v.walk->place(position, v.x[position]);
  }
  push_backwards(message, slots);
}

void pop_item(Message& message, OrderVariables& v) {
  v.order.resize(v.positions.size());
  v.walk->start_item(v.positions);
  Remaining remaining(v.positions);
  for (std::uint32_t& position : v.order) {
    position = remaining.take(pop(message, remaining.prior(*v.walk)));
    v.x[position] = pop_symbol(message, v.walk->symbol(position));
    v.walk->place(position, v.x[position]);
  }
}

OrderVariables order_variables(const OrderedCoding& coding, const ItemForms* forms) {
  OrderVariables v;
  v.forms = forms;
  v.order.resize(coding.item_size());
  v.walk = coding.walk();
  return v;
}

}  // namespace

LatentOrder::LatentOrder(const OrderedCoding& coding) : coding_(coding), forms_(coding.forms()) {
  LOGPX_ASSERT(coding.item_size() > 0 && coding.item_size() <= 1u << (order_precision - 1));
  drawn(Part::posterior, push_order, pop_order);
  coded(Part::likelihood, push_item, pop_item);
  coded(Part::likelihood, push_form, pop_form);
}

OrderVariables LatentOrder::variables_for(std::span<const std::uint8_t>, std::uint64_t) const {
  OrderVariables v = order_variables(coding_, forms_.get());
  v.posterior = coding_.posterior();
  return v;
}

std::uint64_t LatentOrder::dims_in(std::span<const std::uint8_t> items) const {
  return own_dims(*this, forms_.get(), items);
}

void LatentOrder::score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                        std::span<double> nats) const {
  OrderVariables v = variables_for({}, 0);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    const auto x = item_of(items, i);
    v.x.assign(x.begin(), x.end());
    find_positions(v);
    Cursor words(rng.stream(Stream::evaluation, first + static_cast<std::uint32_t>(i)));
    v.posterior->start_item(x);
    v.walk->start_item(v.positions);
    Remaining posterior(v.positions), prior(v.positions);
    double sum = form_nats(v);
    for (std::size_t step = 0; step < v.positions.size(); ++step) {
      const Table& q = posterior.posterior(*v.posterior);
      const std::uint32_t index = q.find(words.word() >> (32 - order_precision));
      sum += log_probability(prior.prior(*v.walk), index) - log_probability(q, index);
      const std::uint32_t position = posterior.take(index);
      prior.take(index);
      sum += log_probability_of(v.walk->symbol(position), x[position]);
      v.posterior->place(position);
      v.walk->place(position, x[position]);
    }
    nats[i] = sum;
  }
}

KnownOrder::KnownOrder(const OrderedCoding& coding, KnownOrderKind kind,
                       std::vector<std::uint32_t> group_ends)
    : coding_(coding), forms_(coding.forms()), kind_(kind), group_ends_(std::move(group_ends)) {
  const auto size = static_cast<std::uint32_t>(coding.item_size());
  LOGPX_ASSERT(kind != KnownOrderKind::greedy || group_ends_.empty());
  if (group_ends_.empty()) {
    group_ends_.resize(size);
    std::iota(group_ends_.begin(), group_ends_.end(), 1u);
  }
  LOGPX_ASSERT(std::is_sorted(group_ends_.begin(), group_ends_.end()) &&
               group_ends_.back() == size);
  coded(
      Part::likelihood,
      [this](Message& m, OrderVariables& v) {
        find_positions(v);
        std::vector<CodedSlot> slots;
        for_each(v, [&](std::uint32_t position, const SymbolDist& dist) {
          slots.push_back({slot_of_symbol(dist, v.x[position]), precision_of(dist)});
        });
        push_backwards(m, slots);
      },
      [this](Message& m, OrderVariables& v) {
        for_each(v, [&](std::uint32_t position, const SymbolDist& dist) {
          v.x[position] = pop_symbol(m, dist);
        });
      });
  coded(Part::likelihood, push_form, pop_form);
}

OrderVariables KnownOrder::variables_for(std::span<const std::uint8_t>, std::uint64_t block) const {
  OrderVariables v = order_variables(coding_, forms_.get());
  if (kind_ == KnownOrderKind::permuted)
    v.order = block_order(static_cast<std::uint32_t>(item_size()), block);
  else std::iota(v.order.begin(), v.order.end(), 0u);
  return v;
}

template <typename Code>
void KnownOrder::for_each(OrderVariables& v, Code code) const {
  v.walk->start_item(v.positions);
  const bool greedy = kind_ == KnownOrderKind::greedy;
  Remaining remaining(greedy ? v.positions : std::vector<std::uint32_t>());
  const auto is_there = [&](std::uint32_t position) {
    return v.forms == nullptr ? position < v.x.size()
                              : std::ranges::binary_search(v.positions, position);
  };
  std::size_t i = 0;
  for (const std::uint32_t end : group_ends_) {
    const std::size_t begin = i;
    for (; i < end; ++i) {
      if (greedy) {
        if (i == v.positions.size()) return;  // an item without all positions
        const std::span<const double> weights = remaining.weights(*v.walk);
        const auto best = std::max_element(weights.begin(), weights.end());
        v.order[i] = remaining.take(static_cast<std::uint32_t>(best - weights.begin()));
      }
      if (is_there(v.order[i])) code(v.order[i], v.walk->symbol(v.order[i]));
    }
    for (std::size_t j = begin; j < i; ++j)
      if (is_there(v.order[j])) v.walk->place(v.order[j], v.x[v.order[j]]);
  }
}

std::uint64_t KnownOrder::dims_in(std::span<const std::uint8_t> items) const {
  return own_dims(*this, forms_.get(), items);
}

void KnownOrder::score(std::span<const std::uint8_t> items, Rng, std::uint32_t,
                       std::span<double> nats) const {
  OrderVariables v = variables_for({}, 0);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    const auto x = item_of(items, i);
    v.x.assign(x.begin(), x.end());
    find_positions(v);
    double sum = form_nats(v);
    for_each(v, [&](std::uint32_t position, const SymbolDist& dist) {
      sum += log_probability_of(dist, v.x[position]);
    });
    nats[i] = sum;
  }
}

std::vector<std::uint32_t> block_order(std::uint32_t n, std::uint64_t block) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::uint64_t counter = block;
  for (std::uint32_t i = n; i-- > 1;) {
    counter += 0x9E3779B97F4A7C15;
    std::uint64_t z = counter;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    std::swap(order[i], order[((z >> 32) * (i + 1)) >> 32]);
  }
  return order;
}

}  // namespace logpx::codec
