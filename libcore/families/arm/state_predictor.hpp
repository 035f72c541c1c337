// What a network says of rows of which some values are known: what scores, samples and codes call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

inline constexpr std::int32_t absent = -1;  // x of a dim that its row does not have

// S of each row: what is seen of it, [rows, dims]. Where nothing is seen x says only whether the
// dim exists.
struct States {
  std::span<const std::int32_t> x;
  std::span<const std::uint8_t> seen;
};

// Logits for each dim that is not seen; of others they say nothing.
struct Looks {
  std::vector<double> values;  // f [rows, dims, levels]
  std::vector<double> policy;  // h [rows, dims]; empty where the network has none
};

class StatePredictor {
 public:
  virtual ~StatePredictor() = default;
  [[nodiscard]] virtual std::int64_t dims() const = 0;
  [[nodiscard]] virtual std::int64_t levels() const = 0;
  // From any thread.
  virtual void look(const States& states, Looks& looks) const = 0;
  // Logits g [rows, dims] of q(z|x), for rows of which all is known.
  virtual void choose(std::span<const std::int32_t> x, std::span<double> g) const = 0;
};

}  // namespace logpx::arm
