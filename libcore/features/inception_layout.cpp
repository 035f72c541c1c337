#include "libcore/features/inception_layout.hpp"

#include <utility>

namespace logpx {
namespace {

using Nodes = std::vector<LayerNode>;

// Padding by zeros that keeps the size, or none.
enum class Around { zeros, nothing };

LayerNode convolution(std::string name, PerAxis kernel, Around around = Around::zeros,
                      std::int64_t stride = 1) {
  const PerAxis half((kernel.y - 1) / 2, (kernel.x - 1) / 2);
  return {.kind = LayerNode::Kind::convolution,
          .name = std::move(name),
          .kernel = kernel,
          .stride = stride,
          .pad = around == Around::zeros ? half : PerAxis(0)};
}

LayerNode halving(std::string name) { return convolution(std::move(name), 3, Around::nothing, 2); }

LayerNode pooling(PoolOptions options) {
  return {.kind = LayerNode::Kind::pool, .pooling = options};
}
LayerNode halving_pool() { return pooling({.kind = PoolKind::max, .window = 3, .stride = 2}); }
LayerNode neighbours(PoolKind kind) {
  return pooling({.kind = kind, .window = 3, .stride = 1, .pad = 1});
}

LayerNode sequence(Nodes parts) { return {.parts = std::move(parts)}; }
LayerNode join(Nodes parts) { return {.kind = LayerNode::Kind::join, .parts = std::move(parts)}; }

// Convolutions PREFIX_1, PREFIX_2 ... with these kernels.
Nodes chain(const std::string& prefix, const std::vector<PerAxis>& kernels) {
  Nodes list;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    list.push_back(convolution(prefix + '_' + std::to_string(i + 1), kernels[i]));
  return list;
}
Nodes then(Nodes list, LayerNode last) {
  list.push_back(std::move(last));
  return list;
}

const PerAxis flat = {1, 7}, tall = {7, 1};

// Blocks, named by the letters that implementations use.
LayerNode block_a(const std::string& name) {
  return join({convolution(name + ".branch1x1", 1), sequence(chain(name + ".branch5x5", {1, 5})),
               sequence(chain(name + ".branch3x3dbl", {1, 3, 3})),
               sequence({neighbours(PoolKind::mean), convolution(name + ".branch_pool", 1)})});
}

LayerNode block_b(const std::string& name) {
  return join(
      {halving(name + ".branch3x3"),
       sequence(then(chain(name + ".branch3x3dbl", {1, 3}), halving(name + ".branch3x3dbl_3"))),
       halving_pool()});
}

LayerNode block_c(const std::string& name) {
  return join({convolution(name + ".branch1x1", 1),
               sequence(chain(name + ".branch7x7", {1, flat, tall})),
               sequence(chain(name + ".branch7x7dbl", {1, tall, flat, tall, flat})),
               sequence({neighbours(PoolKind::mean), convolution(name + ".branch_pool", 1)})});
}

LayerNode block_d(const std::string& name) {
  return join({sequence(then(chain(name + ".branch3x3", {1}), halving(name + ".branch3x3_2"))),
               sequence(then(chain(name + ".branch7x7x3", {1, flat, tall}),
                             halving(name + ".branch7x7x3_4"))),
               halving_pool()});
}

// Both directions of a 3x3 kernel, side by side.
LayerNode both_ways(const std::string& prefix) {
  return join({convolution(prefix + 'a', {1, 3}), convolution(prefix + 'b', {3, 1})});
}

LayerNode block_e(const std::string& name, PoolKind kind) {
  return join(
      {convolution(name + ".branch1x1", 1),
       sequence(then(chain(name + ".branch3x3", {1}), both_ways(name + ".branch3x3_2"))),
       sequence(then(chain(name + ".branch3x3dbl", {1, 3}), both_ways(name + ".branch3x3dbl_3"))),
       sequence({neighbours(kind), convolution(name + ".branch_pool", 1)})});
}

}  // namespace

LayerNode inception_layout() {
  return sequence({halving("Conv2d_1a_3x3"), convolution("Conv2d_2a_3x3", 3, Around::nothing),
                   convolution("Conv2d_2b_3x3", 3), halving_pool(), convolution("Conv2d_3b_1x1", 1),
                   convolution("Conv2d_4a_3x3", 3, Around::nothing), halving_pool(),
                   block_a("Mixed_5b"), block_a("Mixed_5c"), block_a("Mixed_5d"),
                   block_b("Mixed_6a"), block_c("Mixed_6b"), block_c("Mixed_6c"),
                   block_c("Mixed_6d"), block_c("Mixed_6e"), block_d("Mixed_7a"),
                   block_e("Mixed_7b", PoolKind::mean), block_e("Mixed_7c", PoolKind::max)});
}

}  // namespace logpx
