// Options for the network of a model.   [vdm/README 8]
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::vdm {

enum class NetKind { automatic, unet, mlp, linear_gauss };
enum class AttentionPlaces { middle, all, none };

struct NetOptions {
  NetKind kind = NetKind::automatic;  // unet for pictures, else mlp
  std::string size = "small";         // or tiny: fills in by the data what is 0 or empty below
  std::int64_t channels = 0, depth = 0, groups = 0, embedding = 0;  // unet
  std::vector<std::int64_t> multipliers = {};
  AttentionPlaces attention = AttentionPlaces::middle;
  double dropout = 0;
  std::int64_t width = 0, layers = 0;  // mlp
  std::string fourier = "auto";

  void describe(Fields& fields);
  // Fills in what was left open, for data read as so many levels (0: real numbers); usage errors
  // for settings that contradict each other or the data.
  void settle(const DatasetInfo& data, std::int64_t levels);
  // The n of the Fourier features sin(2^n pi z).
  [[nodiscard]] std::vector<int> exponents(std::int64_t levels) const;

 private:
  void settle_unet(const DatasetInfo& data);
};

}  // namespace logpx::vdm
