// logpx-bench [--json FILE] [WORD...]: times the kernels; with words, the sections that hold one.
#include "libcore/base/error.hpp"
#include "libcore/base/restart.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/vector_math.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace logpx;

namespace {

struct Section {
  const char* name;
  void (*run)(bench::Bench&);
};

constexpr std::array sections = {Section{"gemm", bench::bench_gemm},
                                 Section{"ordered gemm", bench::bench_ordered_gemm},
                                 Section{"convolution", bench::bench_conv},
                                 Section{"vector functions", bench::bench_vector_math},
                                 Section{"memory", bench::bench_memory},
                                 Section{"optimiser", bench::bench_optimiser},
                                 Section{"graph", bench::bench_graph},
                                 Section{"networks", bench::bench_networks},
                                 Section{"nets of graphs", bench::bench_graph_nets},
                                 Section{"training step", bench::bench_training},
                                 Section{"vae", bench::bench_vae},
                                 Section{"kaem", bench::bench_kaem},
                                 Section{"vdm", bench::bench_vdm},
                                 Section{"its", bench::bench_its},
                                 Section{"prior chains", bench::bench_chains},
                                 Section{"fid", bench::bench_fid},
                                 Section{"sum", bench::bench_sum},
                                 Section{"ranks", bench::bench_ranks},
                                 Section{"coding", bench::bench_coding},
                                 Section{"adaptive coder", bench::bench_adaptive_coder},
                                 Section{"deflate", bench::bench_deflate},
                                 Section{"features", bench::bench_features},
                                 Section{"molecules", bench::bench_molecules},
                                 Section{"circuit", bench::bench_circuit},
                                 Section{"windows of symbols", bench::bench_circuit_pass},
                                 Section{"training of circuits", bench::bench_circuit_training},
                                 Section{"coding by circuits", bench::bench_circuit_coding},
                                 Section{"slopes", bench::bench_slopes}};

int run(std::vector<std::string> words) {
  std::string json_file;
  if (words.size() >= 2 && words[0] == "--json") {
    json_file = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  single_threaded_kernels();
  std::printf("%s, kernel %s; ISA %s; vector functions: %s\n", blas_name().c_str(),
              blas_kernel().c_str(), isa_name(active_isa()).c_str(), vec::backend().c_str());
  bench::Bench bench;
  for (const Section& section : sections) {
    const std::string name = section.name;
    const auto asked = [&](const std::string& word) {
      return name.find(word) != std::string::npos;
    };
    if (!words.empty() && std::none_of(words.begin(), words.end(), asked)) continue;
    bench.begin(name);
    section.run(bench);
  }
  bench.summary();
  if (!json_file.empty()) {
    std::ofstream out(json_file);
    out << bench.json();
    if (!out.flush()) fail(ErrorKind::io, json_file, "cannot be written");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  // The kernels that the tools would take.
  restart_with("OPENBLAS_CORETYPE",
               kernel_for(blas_kernel(), isa_available(Isa::v3), isa_available(Isa::v4)), argv);
  return run({argv + 1, argv + argc});
} catch (const std::exception& error) {
  std::fprintf(stderr, "logpx-bench: error: %s\n", error.what());
  return 2;
}
