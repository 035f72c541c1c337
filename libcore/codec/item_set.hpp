// Items of which the set alone is to come back, coded without paying for their order; and, where
// an item may be labelled in many ways of which none matters, without paying for its labels.
// [Multisets, Shuffle; codec/README 4.8]
#pragma once

#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx::codec {

// The ways to label an item, all of them alike to the model: numberings of the atoms of a molecule.
class ItemLabels {
 public:
  virtual ~ItemLabels() = default;
  // Labels an item in the one way that stands for all.
  virtual void settle(std::span<std::uint8_t> item) const = 0;
  // An encoder's: draws labels for a settled item by bits of the message.
  virtual void draw(Message& message, std::span<std::uint8_t> item) const = 0;
  // A decoder's: settles the item, and gives back the bits that its labels were drawn by.
  virtual void give_back(Message& message, std::span<std::uint8_t> item) const = 0;
  // ln of how many ways there are for this item.
  [[nodiscard]] virtual double nats(std::span<const std::uint8_t> item) const = 0;
};

// What an item may be labelled by is null where labels matter. Blocks hold whole items, ascending
// as bytes, and settled; anything else is a data error.
class ItemSet final : public Scheme {
 public:
  ItemSet(std::unique_ptr<const Scheme> items, std::unique_ptr<const ItemLabels> labels)
      : items_(std::move(items)), labels_(std::move(labels)) {}
  [[nodiscard]] std::size_t item_size() const override { return items_->item_size(); }
  [[nodiscard]] std::uint64_t dims_in(std::span<const std::uint8_t> items) const override {
    return items_->dims_in(items);
  }
  void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
              Costs& costs) const override;
  void decode(Message& message, std::span<std::uint8_t> items, std::uint64_t block) const override;
  // Each item's share of ln p of the set. Labels are drawn by seed words.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;
  [[nodiscard]] std::unique_ptr<NextSymbol> next_symbol() const override;

 private:
  void check_settled(std::span<const std::uint8_t> item) const;
  std::unique_ptr<const Scheme> items_;
  std::unique_ptr<const ItemLabels> labels_;
};

}  // namespace logpx::codec
