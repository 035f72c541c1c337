// What the networks of a model are made of, as options say it.   [spec/loarm.md section 9]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/grad/activation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::arm {

enum class NetKind { automatic, mlp, unet, tabular };

struct NetOptions {
  NetKind kind = NetKind::automatic;  // unet for pictures, else mlp
  std::string size = "small";         // or tiny: chooses, by the data, what is 0 or empty below
  std::vector<std::int64_t> hidden =
      {};  // mlp: a first layer, then inner widths of residual blocks
  Activation activation = Activation::silu;
  std::int64_t channels = 0;  // unet
  std::vector<std::int64_t> multipliers = {};

  void describe(Fields& fields);
  // Says what was left open; usage errors for what contradicts itself or the data.
  void settle(const DatasetInfo& data, std::int64_t levels);
  // Of a network that only weighs orders: half as wide.
  [[nodiscard]] NetOptions smaller() const;

 private:
  void settle_unet(const DatasetInfo& data);
};

}  // namespace logpx::arm
