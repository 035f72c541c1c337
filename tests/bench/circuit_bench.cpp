// Products with Monarch matrices, as circuits use them [pc/README 3.2]. One thread, 128 columns.
#include "libcore/base/index.hpp"
#include "libcore/det/ordered_gemm.hpp"
#include "libcore/math/monarch.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::bench {

namespace {

constexpr std::int64_t batch = 128;

struct Case {
  const char* name;
  MonarchFactors factors;
  double forward_floor, training_floor;
};

MonarchFactors square(std::vector<std::int64_t> factors, std::vector<int> program = {}) {
  return {.m = factors, .n = factors, .program = std::move(program)};
}

std::vector<Case> all_cases() {
  return {{"dense 128", square({128}), 0.8, 0.6},
          {"dense 256", square({256}), 0.8, 0.6},
          {"dense 512", square({512}), 0.8, 0.6},
          {"64.64", square({64, 64}), 0.6, 0.45},
          {"32.32", square({32, 32}), 0.6, 0.45},
          {"16.16", square({16, 16}), 0.35, 0.2},
          {"8.8", square({8, 8}), 0.35, 0.2},
          {"8.8.8", square({8, 8, 8}), 0.35, 0.2},
          {"16.16, program 1,2,1", square({16, 16}, {1, 2, 1}), 0.35, 0.2}};
}

// One matrix with all that a pass of training needs.
class Pass {
 public:
  explicit Pass(const MonarchFactors& factors) : form_(factors) {
    const std::int64_t room = form_.room(batch), states = form_.rows() * batch;
    memory_.resize(5);
    room_ = std::span(memory_[0].reserve(room), at(room));
    for (std::size_t k = 1; k < memory_.size(); ++k)
      std::fill_n(memory_[k].reserve(states), states, 0.5f);
    weights_.resize(form_.layers().size());
    sums_.resize(weights_.size());
    for (std::size_t t = 0; t < weights_.size(); ++t) {
      const std::int64_t edges = form_.layers()[t].edges();
      float* const weights = weights_[t].reserve(edges);
      std::fill_n(weights, edges, 1.0f / static_cast<float>(form_.layers()[t].n));
      tensors_.push_back(weights);
      products_.push_back(sums_[t].reserve(edges));
      std::fill_n(products_[t], edges, 0.0f);
    }
    map_.emplace(form_, tensors_, batch, room_);
  }

  void forward() { map_->apply(memory_[1].reserve(0), memory_[2].reserve(0)); }
  void train() {
    forward();
    map_->add_products({.in = memory_[1].data(),
                        .inner = nullptr,
                        .gradient = memory_[3].data(),
                        .products = products_,
                        .adjoint = memory_[4].reserve(0)});
  }
  [[nodiscard]] double forward_flops() const {
    return 2.0 * batch * static_cast<double>(form_.edges());
  }
  // Vectors between layers are computed a second time.
  [[nodiscard]] double training_flops() const {
    return 4 * forward_flops() - 2.0 * batch * static_cast<double>(form_.layers().back().edges());
  }

 private:
  Monarch form_;
  std::vector<det::FloatBuffer> memory_, weights_, sums_;
  std::span<float> room_;
  std::vector<const float*> tensors_;
  std::vector<float*> products_;
  std::optional<MonarchMap<float>> map_;
};

}  // namespace

void bench_circuit(Bench& bench) {
  for (const Case& item : all_cases()) {
    Pass pass(item.factors);
    const auto add = [&](const std::string& what, double seconds, double flops, double floor) {
      bench.add({.name = what + " " + item.name,
                 .value = 1e-9 * flops / seconds,
                 .unit = "GFLOP/s",
                 .share = flops / seconds / bench.peak(),
                 .floor = floor,
                 .of = "sgemm 1024"});
    };
    const std::vector<double> seconds =
        bench.seconds({[&] { pass.forward(); }, [&] { pass.train(); }});
    add("forward", seconds[0], pass.forward_flops(), item.forward_floor);
    add("training", seconds[1], pass.training_flops(), item.training_floor);
  }
}

}  // namespace logpx::bench
