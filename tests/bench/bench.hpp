// Timings of one run. Floors are relative to other timings of the same run, so that they hold on
// any machine. A row is a function in `sections` (main.cpp):
//
//   void bench_vae_step(Bench& bench) {
//     VaeStep step(...);
//     const double seconds = bench.seconds([&] { step(); });
//     bench.add({.name = "vae step", .value = 1e3 * seconds, .unit = "ms",
//                .share = flops / seconds / bench.peak(), .floor = 0.5, .of = "sgemm 1024"});
//   }
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace logpx::bench {

struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> share = {};  // of what `of` names
  std::optional<double> floor = {};  // the share that must be met
  std::string of = {};
  [[nodiscard]] bool met() const { return !floor || *share >= *floor; }
};

class Bench {
 public:
  // Seconds of one call: the fastest of many stretches of a millisecond, which is what the code can
  // do; other load on the machine only adds.
  [[nodiscard]] double seconds(const std::function<void()>& call) const;
  // The same for calls that are to be compared: their stretches take turns.
  [[nodiscard]] std::vector<double> seconds(const std::vector<std::function<void()>>& calls) const;

  // Operations per second of sgemm 1024 x 1024 x 1024 on one thread: measured at first use.
  [[nodiscard]] double peak();

  void begin(const std::string& section);  // prints its heading
  void add(const Row& row);                // prints it at once
  // A repeatable call in ms, beside the fast one that computes the same: at most 2.5 times as long.
  void add_repeatable(const std::string& name, const std::function<void()>& fast,
                      const std::function<void()>& repeatable);
  void summary() const;  // how many floors were met
  [[nodiscard]] std::string json() const;

 private:
  struct Section {
    std::string name;
    std::vector<Row> rows;
  };
  std::vector<Section> sections_;
  double peak_ = 0;
};

// CPU time of this thread alone: what others do on the machine stays out, except for caches and
// clocks.
[[nodiscard]] double thread_seconds();

// In the order in which `logpx-bench` runs them.
void bench_gemm(Bench& bench);
void bench_ordered_gemm(Bench& bench);
void bench_conv(Bench& bench);
void bench_vector_math(Bench& bench);
void bench_memory(Bench& bench);
void bench_optimiser(Bench& bench);
void bench_graph(Bench& bench);
void bench_networks(Bench& bench);
void bench_graph_nets(Bench& bench);
void bench_training(Bench& bench);
void bench_vae(Bench& bench);
void bench_kaem(Bench& bench);
void bench_vdm(Bench& bench);
void bench_its(Bench& bench);
void bench_chains(Bench& bench);
void bench_fid(Bench& bench);
void bench_sum(Bench& bench);
void bench_ranks(Bench& bench);
void bench_coding(Bench& bench);
void bench_adaptive_coder(Bench& bench);
void bench_deflate(Bench& bench);
void bench_features(Bench& bench);
void bench_molecules(Bench& bench);
void bench_circuit(Bench& bench);
void bench_circuit_pass(Bench& bench);
void bench_circuit_training(Bench& bench);
void bench_circuit_coding(Bench& bench);
void bench_slopes(Bench& bench);

}  // namespace logpx::bench
