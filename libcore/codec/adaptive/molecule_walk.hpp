// Where in a molecule the next byte of its SMILES stands: on the path from the first atom to here,
// which leaves out branches that are closed, and inside the rings that are open. A line is a
// molecule; any other text can be walked, too.
#pragma once

#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

class MoleculeWalk {
 public:
  struct Path {
    std::uint64_t bytes = '\n';  // the last eight; a closed branch is its `)` alone
    std::uint64_t atoms = 0;     // the first bytes of the last eight
    std::uint32_t length = 0;    // in atoms
  };

  void next_byte(std::uint8_t byte) {
    if (byte == '\n') *this = {};
    else if (in_brackets_) next_in_brackets(byte);
    else if (byte == '(') begin_branch();
    else if (byte == ')') end_branch();
    else next_on_path(byte);
  }

  [[nodiscard]] const Path& path() const { return paths_[depth_]; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  [[nodiscard]] std::uint32_t atoms() const { return atoms_; }         // of the molecule so far
  [[nodiscard]] std::uint64_t last_branch() const { return branch_; }  // how the last one ended
  // A bit for each digit whose ring is open.
  [[nodiscard]] std::uint32_t open_rings() const { return open_; }
  // By how many atoms the path has grown since the newest ring began, or since one before it.
  [[nodiscard]] std::uint32_t since_ring(std::uint32_t before) const {
    if (before >= rings_) return no_ring;
    const std::uint32_t begin = ring_[rings_ - 1 - before].begin;
    return begin > path().length ? behind_ring : std::min(path().length - begin, longest);
  }
  // All rings that are open, each with how long ago it began.
  [[nodiscard]] std::uint32_t rings() const {
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < rings_; ++i)
      all = hash_of(all << 32 | (path().length - ring_[i].begin), ring_[i].digit);
    return static_cast<std::uint32_t>(all);
  }

 private:
  static constexpr std::uint32_t deepest = 31, most_rings = 10;
  static constexpr std::uint32_t longest = 60, behind_ring = 62, no_ring = 63;
  struct Ring {
    std::uint32_t digit, begin;  // and the length of the path there
  };

  void add(std::uint8_t byte) { paths_[depth_].bytes = paths_[depth_].bytes << 8 | byte; }
  void add_atom(std::uint8_t byte) {
    Path& path = paths_[depth_];
    path.atoms = path.atoms << 8 | byte;
    ++path.length;
    ++atoms_;
  }
  void next_in_brackets(std::uint8_t byte) {
    add(byte);
    in_brackets_ = byte != ']';
  }
  void next_on_path(std::uint8_t byte) {
    add(byte);
    in_brackets_ = byte == '[';
    const auto letter = static_cast<std::uint8_t>(byte | 32);
    // Cl and Br are one atom each.
    if (in_brackets_ || (letter >= 'a' && letter <= 'z' && byte != 'l' && byte != 'r'))
      add_atom(byte);
    if (byte >= '0' && byte <= '9') begin_or_end_ring(byte - std::uint32_t{'0'});
  }
  void begin_branch() {
    add('(');
    if (depth_ == deepest) return;
    paths_[depth_ + 1] = paths_[depth_];
    ++depth_;
  }
  void end_branch() {
    branch_ = path().bytes;
    if (depth_ > 0) --depth_;
    std::uint64_t& bytes = paths_[depth_].bytes;
    bytes = (bytes & ~std::uint64_t{255}) | ')';
  }
  void begin_or_end_ring(std::uint32_t digit) {
    open_ ^= 1u << digit;
    const auto end = ring_.begin() + rings_;
    const auto same =
        std::find_if(ring_.begin(), end, [&](const Ring& r) { return r.digit == digit; });
    if (same != end) {
      std::copy(same + 1, end, same);
      --rings_;
    } else {
      ring_[rings_++] = {digit, path().length};
    }
  }

  std::array<Path, deepest + 1> paths_ = {};  // of each branch that is open, the innermost last
  std::array<Ring, most_rings> ring_ = {};    // that are open, the newest last
  std::uint64_t branch_ = 0;
  std::uint32_t depth_ = 0, rings_ = 0, open_ = 0, atoms_ = 0;
  bool in_brackets_ = false;
};

}  // namespace logpx::codec::adaptive
