// What the networks of a model are made of, as options say it.   [spec/loarm.md section 9]
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
  std::string size = "small";         // or tiny: chooses, by the data, what is 0 or empty below
  std::vector<std::int64_t> hidden =
      {};  // mlp: a first layer, then inner widths of residual blocks
  Activation activation = Activation::silu;
  std::int64_t channels = 0;  // unet
  std::vector<std::int64_t> multipliers = {};
  std::int64_t layers = 0, heads = 0;  // graph
  // Of atoms, of pairs and of the whole molecule: in its layers, inside of their dense parts, and
  // inside of what reads and answers. Empty: the latter two as the first.
  std::vector<std::int64_t> widths = {}, ff_widths = {}, io_widths = {};
  GraphCounts counts = GraphCounts::none;

  void describe(Fields& fields);
  // Says what was left open; usage errors for what contradicts itself or the data.
  void settle(const DatasetInfo& data, std::int64_t levels);
  // Of a network that only weighs orders: half as wide.
  [[nodiscard]] NetOptions smaller() const;

 private:
  void settle_mlp();
  void settle_unet(const DatasetInfo& data);
  void settle_graph();
};

}  // namespace logpx::arm
