// Changes of pictures while training: each is made with probability one half.   [VDM sec. 6.1]
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/model/heads.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx::vdm {

class Augmentation {
 public:
  // Words are flip, rot90, channels; a usage error names --augment for others, and for pictures
  // that cannot be changed so.
  Augmentation(const std::vector<std::string>& words, const Extents& extents, bool is_picture);

  [[nodiscard]] bool any() const { return flips_ || turns_ || mixes_; }
  // Changes the row at this place of a step, [C,H,W]; true if it has changed.
  bool change(const Substream& words, std::int64_t place, std::span<float> x) const;

 private:
  void flip(std::span<float> x) const;
  void turn(std::span<float> x) const;  // by a right angle
  void mix(Cursor& words, std::span<float> x) const;
  Extents extents_;
  bool flips_ = false, turns_ = false, mixes_ = false;
};

}  // namespace logpx::vdm
