// A fixture of an exact coding with an order of its own: patches of 1 x 2 pixels in colour, whose
// six symbols hang on hidden states that form a tree.
//   p(x) = sum over states of p(z_0) prod p(z_v | z_parent(v)) prod p(x_v | z_v)
#pragma once

#include "libcore/codec/sequence.hpp"
#include "libcore/data/ycocg.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::toy {

class PatchTree : public codec::SequenceCoding {
 public:
  explicit PatchTree(Transform transform = Transform::ycocg_r);

  [[nodiscard]] std::size_t item_size() const override { return picture_.size(); }
  void to_symbols(std::span<const std::uint8_t> item,
                  std::span<std::uint32_t> symbols) const override;
  [[nodiscard]] bool to_item(std::span<const std::uint32_t> symbols,
                             std::span<std::uint8_t> item) const override;
  [[nodiscard]] std::unique_ptr<codec::SequenceState> start() const override;

  // ln p of a whole patch by one pass over the tree, to compare with.
  [[nodiscard]] double log_p(std::span<const std::uint8_t> item) const;

  static constexpr std::size_t variables = 6, states = 3;
  using Evidence = std::array<std::array<double, states>, variables>;  // of each state, [v][z]
  [[nodiscard]] double total(const Evidence& evidence) const;          // sum over all states
  [[nodiscard]] std::span<const double> leaf(std::size_t v, std::size_t z) const;
  [[nodiscard]] std::size_t levels(std::size_t v) const;

 private:
  PictureSymbols picture_;
  std::vector<double> root_, down_;          // [states], [v][state above][state]
  std::vector<std::vector<double>> leaves_;  // [v][states][levels]
};

// The variables in the order in which they are coded: a tree depth first, children ascending.
inline constexpr std::array<std::size_t, PatchTree::variables> depth_first = {0, 1, 3, 4, 2, 5};

}  // namespace logpx::toy
