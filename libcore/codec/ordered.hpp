// Coding the positions of an item in any order: the order is a latent (LO-ARM), or both sides know
// it.   [codec/README 4.7]
#pragma once

#include "libcore/codec/step_scheme.hpp"
#include "libcore/codec/tables.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace logpx::codec {

using SymbolDist = std::variant<Bernoulli, Table>;

// For items that need not have all positions: which ones an item has follows from its form, which
// is decoded before the rest of it.
class ItemForms {
 public:
  virtual ~ItemForms() = default;
  [[nodiscard]] virtual const Table& table() const = 0;  // of the forms
  // A data error for what is no item.
  [[nodiscard]] virtual std::uint32_t form_of(std::span<const std::uint8_t> x) const = 0;
  [[nodiscard]] virtual std::vector<std::uint32_t> positions(std::uint32_t form) const = 0;
  [[nodiscard]] virtual std::uint8_t elsewhere() const = 0;  // the symbol of the other places
};

// An item being filled in, position after position.
class OrderWalk {
 public:
  virtual ~OrderWalk() = default;
  // It has these positions, ascending.
  virtual void start_item(std::span<const std::uint32_t> positions) = 0;
  // Weights of p(z_i = .|what is placed) over the remaining positions, ascending.
  virtual void order_weights(std::span<const std::uint32_t> remaining,
                             std::span<double> weights) = 0;
  // p(x_position|what is placed).
  [[nodiscard]] virtual SymbolDist symbol(std::uint32_t position) = 0;
  virtual void place(std::uint32_t position, std::uint8_t symbol) = 0;
};

// q(z|x), one position after another; x is known.
class OrderPosterior {
 public:
  virtual ~OrderPosterior() = default;
  virtual void start_item(std::span<const std::uint8_t> x) = 0;
  virtual void order_weights(std::span<const std::uint32_t> remaining,
                             std::span<double> weights) = 0;
  virtual void place(std::uint32_t position) = 0;
};

class OrderedCoding {
 public:
  virtual ~OrderedCoding() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;
  [[nodiscard]] virtual std::unique_ptr<OrderWalk> walk() const = 0;
  [[nodiscard]] virtual std::unique_ptr<OrderPosterior> posterior() const = 0;  // LatentOrder only
  // Null: items have all positions; a shorter one has those up to its end.
  [[nodiscard]] virtual std::unique_ptr<const ItemForms> forms() const { return nullptr; }
};

struct OrderVariables {
  std::vector<std::uint8_t> x;
  std::size_t item = 0;
  std::vector<std::uint32_t> order;
  const ItemForms* forms = nullptr;
  std::vector<std::uint32_t> positions = {};  // of this item, ascending
  std::unique_ptr<OrderWalk> walk;
  std::unique_ptr<OrderPosterior> posterior;
};

// The order is drawn from q(z|x) and coded with x; net length -> negative ELBO.
class LatentOrder final : public StepScheme<OrderVariables> {
 public:
  explicit LatentOrder(const OrderedCoding& coding);
  [[nodiscard]] std::size_t item_size() const override { return coding_.item_size(); }
  [[nodiscard]] std::uint64_t dims_in(std::span<const std::uint8_t> items) const override;
  // ln p(x, z) - ln q(z|x) at one draw of z.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;

 private:
  [[nodiscard]] OrderVariables variables_for(std::span<const std::uint8_t> items,
                                             std::uint64_t block) const override;
  const OrderedCoding& coding_;
  std::unique_ptr<const ItemForms> forms_;
};

// greedy: the most likely position next (the lowest of several); ascending: 0, 1, 2 ...;
// permuted: one permutation per block, from its number.
enum class KnownOrderKind { greedy, ascending, permuted };

class KnownOrder final : public StepScheme<OrderVariables> {
 public:
  // Positions are coded in groups from one look at the model; `group_ends` are where they end,
  // ascending to item_size(). Empty: one by one, the only way for greedy.
  KnownOrder(const OrderedCoding& coding, KnownOrderKind kind,
             std::vector<std::uint32_t> group_ends = {});
  [[nodiscard]] std::size_t item_size() const override { return coding_.item_size(); }
  [[nodiscard]] std::uint64_t dims_in(std::span<const std::uint8_t> items) const override;
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;

 private:
  [[nodiscard]] OrderVariables variables_for(std::span<const std::uint8_t> items,
                                             std::uint64_t block) const override;
  // Calls code(i, position, dist) in the order of the positions.
  template <typename Code>
  void for_each(OrderVariables& v, Code code) const;

  const OrderedCoding& coding_;
  std::unique_ptr<const ItemForms> forms_;
  KnownOrderKind kind_;
  std::vector<std::uint32_t> group_ends_;
};

// Fisher-Yates from the end with SplitMix64 from `block`: j = (high 32 bits * (i + 1)) >> 32.
[[nodiscard]] std::vector<std::uint32_t> block_order(std::uint32_t n, std::uint64_t block);

}  // namespace logpx::codec
