#include "libcore/det/isa.hpp"
#include "libcore/det/ordered_gemm.hpp"
#include "libcore/det/ordered_kernels.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/onednn.hpp"
#include "tests/bench/bench.hpp"

#include <string>

namespace logpx::bench {

namespace {

struct Shape3 {
  std::int64_t m, n, k;
  Trans trans_a = Trans::no, trans_b = Trans::no;
  [[nodiscard]] double flops() const { return 2.0 * static_cast<double>(m * n * k); }
  [[nodiscard]] std::string text() const {
    return std::to_string(m) + " x " + std::to_string(k) + (trans_a == Trans::yes ? "^T" : "") +
           " x " + std::to_string(n) + (trans_b == Trans::yes ? "^T" : "");
  }
};

// y = x W, dx = dy W^T, dW = x^T dy of one linear layer.
void push_layer(std::vector<Shape3>& shapes, std::int64_t rows, std::int64_t in, std::int64_t out) {
  shapes.push_back({rows, out, in});
  shapes.push_back({rows, in, out, Trans::no, Trans::yes});
  shapes.push_back({in, out, rows, Trans::yes, Trans::no});
}

std::vector<Shape3> vae_shapes() {
  std::vector<Shape3> shapes;
  push_layer(shapes, 100, 784, 500);
  push_layer(shapes, 100, 500, 784);
  push_layer(shapes, 100, 500, 40);
  push_layer(shapes, 100, 20, 500);
  return shapes;
}

struct Operands {
  explicit Operands(const Shape3& s)
      : a(static_cast<std::size_t>(s.m * s.k), 0.5f),
        b(static_cast<std::size_t>(s.k * s.n), 0.25f),
        c(static_cast<std::size_t>(s.m * s.n)),
        call{.trans_a = s.trans_a,
             .trans_b = s.trans_b,
             .m = s.m,
             .n = s.n,
             .k = s.k,
             .a = a.data(),
             .lda = s.trans_a == Trans::yes ? s.m : s.k,
             .b = b.data(),
             .ldb = s.trans_b == Trans::yes ? s.k : s.n,
             .c = c.data(),
             .ldc = s.n} {}
  std::vector<float> a, b, c;
  Gemm<float> call;
};

// The compiled variant whose vectors are as wide as those of OpenBLAS's kernel, so that the two
// are comparable when OPENBLAS_CORETYPE pins a smaller one.
Isa isa_of_blas() {
  const std::string core = blas_kernel();
  const auto is_one_of = [&](std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (core == name) return true;
    return false;
  };
  if (is_one_of({"SkylakeX", "Cooperlake", "Sapphirerapids"})) return Isa::v4;
  if (is_one_of({"Haswell", "Zen", "Excavator", "Steamroller", "Piledriver"})) return Isa::v3;
  return Isa::baseline;
}

// What a coder multiplies with: states by states, for one window and for several.
void compare_doubles(Bench& bench, const Shape3& shape) {
  const std::vector<double> a(static_cast<std::size_t>(shape.m * shape.k), 0.5),
      b(static_cast<std::size_t>(shape.k * shape.n), 0.25);
  std::vector<double> c(static_cast<std::size_t>(shape.m * shape.n));
  const Gemm<double> call{.m = shape.m,
                          .n = shape.n,
                          .k = shape.k,
                          .a = a.data(),
                          .lda = shape.k,
                          .b = b.data(),
                          .ldb = shape.n,
                          .c = c.data(),
                          .ldc = shape.n};
  const std::vector<double> seconds =
      bench.seconds({[&] { gemm(call); }, [&] { gemm_ordered(call); }});
  bench.add({.name = "doubles " + shape.text(),
             .value = 1e-9 * shape.flops() / seconds[1],
             .unit = "GFLOP/s",
             .share = seconds[0] / seconds[1],
             .floor = {},
             .of = "dgemm"});
}

}  // namespace

void bench_gemm(Bench& bench) {
  std::vector<Shape3> shapes;
  for (const std::int64_t size : {64, 128, 256, 512, 1024, 2048})
    shapes.push_back({size, size, size});
  for (const Shape3& shape : vae_shapes()) shapes.push_back(shape);
  for (const Shape3& shape : shapes) {
    const Operands operands(shape);
    const double rate = shape.flops() / bench.seconds([&] { gemm(operands.call); });
    bench.add({.name = "sgemm " + shape.text(),
               .value = 1e-9 * rate,
               .unit = "GFLOP/s",
               .share = rate / bench.peak(),
               .floor = {},
               .of = "sgemm 1024"});
  }
  if (bf16_kernels().empty()) return;
  const Shape3 cube{1024, 1024, 1024};
  const Operands operands(cube);
  const double rate = cube.flops() / bench.seconds([&] { gemm_bf16(operands.call); });
  bench.add({.name = "bf16 " + cube.text(), .value = 1e-9 * rate, .unit = "GFLOP/s"});
}

void bench_ordered_gemm(Bench& bench) {
  const det::OrderedKernels& kernels = det::kernels_of(isa_of_blas());
  const auto compare = [&](const Shape3& shape, std::optional<double> floor) {
    const Operands o(shape);
    const Gemm<float>& g = o.call;
    const det::Matrix b =
        g.trans_b == Trans::yes ? det::Matrix{g.b, 1, g.ldb} : det::Matrix{g.b, g.ldb, 1};
    const det::OrderedGemm ordered{
        .m = g.m,
        .n = g.n,
        .k = g.k,
        .a = g.trans_a == Trans::yes ? det::Matrix{g.a, 1, g.lda} : det::Matrix{g.a, g.lda, 1},
        .b = b,
        .bias = nullptr,
        .c = g.c,
        .ldc = g.ldc};
    det::PackedB packed;
    packed.pack(b, g.k, g.n, kernels);
    det::PackedB repacked;
    const std::vector<double> seconds =
        bench.seconds({[&] { gemm(g); }, [&] { det::gemm(ordered, packed); },
                       [&] {
                         repacked.pack(b, g.k, g.n, kernels);
                         det::gemm(ordered, repacked);
                       }});
    const std::string name = std::string(kernels.name) + " " + shape.text();
    bench.add({.name = name,
               .value = 1e-9 * shape.flops() / seconds[1],
               .unit = "GFLOP/s",
               .share = seconds[0] / seconds[1],
               .floor = floor,
               .of = "sgemm"});
    bench.add({.name = name + ", packing",
               .value = 1e-9 * shape.flops() / seconds[2],
               .unit = "GFLOP/s",
               .share = seconds[0] / seconds[2],
               .floor = {},
               .of = "sgemm"});
  };
  for (const std::int64_t size : {128, 512, 1024}) compare({size, size, size}, {});
  // Products are rounded before they are added, which is half the peak of what fuses both.
  for (const Shape3& shape : vae_shapes()) compare(shape, 0.45);
  for (const Shape3& shape : {Shape3{256, 64, 256}, Shape3{32, 64, 32}, Shape3{1024, 1, 1024}})
    compare_doubles(bench, shape);
}

}  // namespace logpx::bench
