// Draws of x given a part of it. The known part of a trajectory follows q(z_s|z_t, x), the unknown
// part p(z_s|z_t), and a weight says how likely the model takes the known part to go that way. Of
// several trajectories, which are drawn again by their weights on the way, one is kept: the more
// there are, the nearer it comes to a draw of the model given what is known.   [vdm/README 10.1]
#pragma once

#include "libcore/families/vdm/denoiser.hpp"
#include "libcore/families/vdm/sampling/item_noise.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::vdm {

// Rows of which a part is known, as networks read them.
struct PartlyKnownRows {
  std::span<const double> x;                  // [rows, D]; of the unknown part it is not read
  std::span<const std::uint8_t> known;        // [rows, D]
  std::span<const std::int32_t> labels = {};  // [rows], or none
};

class Completer {
 public:
  struct Form {
    std::vector<double> gammas;  // where steps stop; they rise
    std::vector<double> errors;  // of one component of x_hat, the mean square at each gamma
    std::int64_t particles = 1;  // trajectories of each row
    std::int64_t levels = 0;     // of x; 0: real numbers
  };
  Completer(const Denoiser& denoiser, Form form) : denoiser_(denoiser), form_(std::move(form)) {}

  struct Completed {
    std::span<double> z;          // [rows, D]
    std::span<double> effective;  // [rows], the fewest effective samples that any step had
  };
  void run(const PartlyKnownRows& rows, const ItemNoise& noise, const Completed& out) const;

 private:
  const Denoiser& denoiser_;
  Form form_;
};

}  // namespace logpx::vdm
