// What the networks of a model are made of, as options say it.   [arm/README 8]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/grad/activation.hpp"
#include "libcore/nn/graph_features.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::arm {

enum class NetKind { automatic, mlp, unet, graph, tabular };

struct NetOptions {
  NetKind kind = NetKind::automatic;  // unet for pictures, graph for molecules, else mlp
  std::string size = "small";         // or tiny: what is 0 or empty below is chosen by it
  std::vector<std::int64_t> hidden =
      {};  // mlp: a first layer, then inner widths of residual blocks
  Activation activation = Activation::silu;
  std::int64_t channels = 0;  // unet
  std::vector<std::int64_t> multipliers = {};
  std::int64_t layers = 0, heads = 0;  // graph
  // Three widths each, for atoms, pairs and the whole molecule: of the layers, inside their dense
  // parts, and inside what reads the input and gives the output. Empty: the last two as the first.
  std::vector<std::int64_t> widths = {}, ff_widths = {}, io_widths = {};
  GraphCounts counts = GraphCounts::none;

  void describe(Fields& fields);
  // Fills in what was left open; usage errors for what contradicts itself or the data.
  void settle(const DatasetInfo& data, std::int64_t levels);
  // For a network that only weighs orders: half as wide.
  [[nodiscard]] NetOptions smaller() const;

 private:
  void settle_mlp();
  void settle_unet(const DatasetInfo& data);
  void settle_graph();
};

}  // namespace logpx::arm
