// The numberings of a molecule's atoms, as labels that a set of molecules does without.
// [arm/README 7]
#pragma once

#include "libcore/codec/item_set.hpp"

namespace logpx {

// Rows are those that are stored, with room for the most atoms.
class MoleculeLabels final : public codec::ItemLabels {
 public:
  void settle(std::span<std::uint8_t> row) const override;
  void draw(codec::Message& message, std::span<std::uint8_t> row) const override;
  void give_back(codec::Message& message, std::span<std::uint8_t> row) const override;
  [[nodiscard]] double nats(std::span<const std::uint8_t> row) const override;
};

}  // namespace logpx
