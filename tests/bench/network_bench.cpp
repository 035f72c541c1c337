// What a U-Net costs when it must give the same bits everywhere.
#include "libcore/det/draws.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/nn/unet.hpp"
#include "tests/bench/bench.hpp"

#include <memory>
#include <vector>

namespace logpx::bench {
namespace {

std::vector<float> normals(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  fill_normals(Rng(seed).stream(Stream::test), 0, values);
  return values;
}

// A forward pass over 8x8 pictures.
class UnetPass {
 public:
  UnetPass(const ParamSet& params, const Unet& net, const PlanRequest& request) {
    graph_.output("y", net(params, graph_.input("x", {pictures, 1, side, side})));
    run_ = std::make_unique<Executor<float>>(graph_, request);
    run_->bind("x", x_);
    run_->bind_parameters(params.block());
  }
  void operator()() { run_->forward(); }

 private:
  static constexpr std::int64_t pictures = 16, side = 8;
  Graph graph_;
  std::vector<float> x_ = normals(pictures * side * side, 3);
  std::unique_ptr<Executor<float>> run_;
};

void bench_unet(Bench& bench) {
  ParamSet params;
  Initialisers initialisers;
  const Unet net(Site(params, initialisers), {.in_channels = 1, .out_channels = 1, .channels = 32});
  initialisers.run(params, Rng(1));
  UnetPass fast(params, net, {}), repeatable(params, net, {.numerics = repeatable_numerics});
  bench.add_repeatable(
      "u-net on 8x8, repeatable forward", [&] { fast(); }, [&] { repeatable(); });
}

}  // namespace

void bench_networks(Bench& bench) { bench_unet(bench); }

}  // namespace logpx::bench
