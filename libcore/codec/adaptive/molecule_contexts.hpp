// Contexts of molecules written as SMILES, one a line: the bytes before, the path that leads here
// through the molecule, and the rings that are open, which have to be closed where their atoms are
// enough.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/molecule_walk.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <cstdint>

namespace logpx::codec::adaptive {

template <Level level>
class MoleculeContexts {
 public:
  static constexpr int count = level == Level::best ? 22 : 15, first_seen = 1, last_seen = 8;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 20;
  static constexpr int rows = 9 * 256;

  explicit MoleculeContexts(const Form&) {}

  void next_byte(const Past&, std::uint8_t byte) {
    walk_.next_byte(byte);
    line_ = byte == '\n' ? 0 : (line_ + byte) * 0x2F0B4C47u;
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const MoleculeWalk::Path& path = walk_.path();
    const std::uint64_t c1 = past.last(1), order8 = past.last4 | std::uint64_t{past.before4} << 32;
    const std::uint64_t open = walk_.open_rings(), ring = walk_.since_ring(0);
    const std::uint64_t open_since = open << 8 | ring, rings = walk_.rings();
    const auto on_path = [&](int bytes) { return last_of(path.bytes, bytes); };
    const auto atoms = [&](int last) { return last_of(path.atoms, last); };
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(value, n), ++n; };
    add(on_path(2));
    add(past.last(3));
    add(last_of(order8, 5));
    add(on_path(2) | open_since << 16);
    add(on_path(4) | open_since << 32);
    add(on_path(6) * factor + open_since);
    add(order8);
    add(on_path(8));
    add(last_of(walk_.last_branch(), 3) << 24 | on_path(3));
    add(on_path(1) | open << 8 | std::uint64_t{walk_.depth()} << 24 |
        std::uint64_t{walk_.atoms() / 2} << 32);
    add(on_path(1) | open << 8 | std::uint64_t{walk_.depth()} << 24 |
        std::uint64_t{walk_.atoms()} << 32);
    add(on_path(1) | atoms(3) << 8 | open << 32);
    add(on_path(1) | atoms(2) << 8 | ring << 24 | std::uint64_t{walk_.since_ring(1)} << 32);
    add(atoms(8) * factor + on_path(1));
    add(c1 | rings << 8);
    if constexpr (level == Level::best) {
      add(c1);
      add(past.last(2));
      add(on_path(3));
      add(on_path(4));
      add(on_path(7));
      add(line_);
      add((last_of(walk_.last_branch(), 2) << 8 | c1) * factor + rings);
    }
  }
  [[nodiscard]] int row(const Past& past, unsigned, int) const {
    return static_cast<int>(past.last(1) | std::min(walk_.since_ring(0), 8u) << 8);
  }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const { return past.last(1); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const { return past.last(2); }

 private:
  static constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;

  static std::uint64_t last_of(std::uint64_t bytes, int last) {
    return last == 8 ? bytes : bytes & ((std::uint64_t{1} << 8 * last) - 1);
  }
  MoleculeWalk walk_;
  std::uint32_t line_ = 0;  // a hash of the line so far
};

}  // namespace logpx::codec::adaptive
