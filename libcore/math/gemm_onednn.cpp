// Products of factors of 8 bits by oneDNN 2.x, one thread per call. Primitives are made once per
// shape and thread, then reused.
#include "libcore/math/blas.hpp"
#include "libcore/math/onednn.hpp"

#if LOGPX_HAVE_ONEDNN
#include "libcore/math/onednn_operand.hpp"
#include "libcore/math/tensor.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace logpx {

namespace {

using onednn::elements_of;
using onednn::engine;
using onednn::memory;
using onednn::Operand;

// One primitive computes all products that differ in where their arrays lie.
struct Sizes {
  Trans trans_a, trans_b;
  std::int64_t m, n, k, lda, ldb, ldc;
  bool add;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

Sizes sizes_of(const Gemm<float>& g) {
  return {g.trans_a, g.trans_b, g.m, g.n, g.k, g.lda, g.ldb, g.ldc, g.beta != 0};
}

// What op(.) reads [rows, cols].
memory::desc stored(memory::dims shape, Trans trans, std::int64_t ld) {
  const memory::dims steps = trans == Trans::yes ? memory::dims{1, ld} : memory::dims{ld, 1};
  return {std::move(shape), memory::data_type::f32, steps};
}
memory::desc read_as_bf16(memory::dims shape) {
  return {std::move(shape), memory::data_type::bf16, memory::format_tag::any};
}

dnnl::matmul::primitive_desc desc_of(const Sizes& s) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops sum;
  if (s.add) sum.append_sum(1.0f);
  attributes.set_post_ops(sum);
  return {
      {read_as_bf16({s.m, s.k}), read_as_bf16({s.k, s.n}), stored({s.m, s.n}, Trans::no, s.ldc)},
      attributes,
      engine()};
}

class PreparedProduct {
 public:
  explicit PreparedProduct(const Sizes& sizes) : PreparedProduct(sizes, desc_of(sizes)) {}

  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  void run(const Gemm<float>& g) {
    thread_local AlignedBytes memory_for_all;
    if (memory_for_all.size() < bytes_) memory_for_all = AlignedBytes(bytes_);
    auto* workspace = reinterpret_cast<float*>(memory_for_all.data());
    scratchpad_.set_data_handle(workspace);
    workspace += elements_of(scratchpad_.get_desc());
    c_.set_data_handle(g.c);
    std::array<dnnl_exec_arg_t, 4> list = {
        {{DNNL_ARG_SRC, a_.read(stream_, g.a, workspace).get()},
         {DNNL_ARG_WEIGHTS, b_.read(stream_, g.b, workspace).get()},
         {DNNL_ARG_DST, c_.get()},
         {DNNL_ARG_SCRATCHPAD, scratchpad_.get()}}};
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(primitive_.get(), stream_.get(), list.size(), list.data()),
        "product failed");
  }

 private:
  PreparedProduct(const Sizes& s, const dnnl::matmul::primitive_desc& desc)
      : sizes_(s),
        primitive_(dnnl::matmul(desc)),
        a_(stored({s.m, s.k}, s.trans_a, s.lda), desc.src_desc()),
        b_(stored({s.k, s.n}, s.trans_b, s.ldb), desc.weights_desc()),
        c_(desc.dst_desc(), engine(), DNNL_MEMORY_NONE),
        scratchpad_(desc.scratchpad_desc(), engine(), DNNL_MEMORY_NONE),
        bytes_(sizeof(float) * static_cast<std::size_t>(elements_of(desc.scratchpad_desc()) +
                                                        elements_of(desc.src_desc()) +
                                                        elements_of(desc.weights_desc()))) {}
  Sizes sizes_;
  dnnl::primitive primitive_;
  dnnl::stream stream_{engine()};
  Operand a_, b_;
  memory c_, scratchpad_;
  std::size_t bytes_;
};

PreparedProduct& prepared_product(const Sizes& sizes) {
  constexpr std::size_t most = 512;
  thread_local std::vector<std::unique_ptr<PreparedProduct>> kept;
  for (const auto& one : kept)
    if (one->sizes() == sizes) return *one;
  if (kept.size() == most) kept.clear();
  single_threaded_kernels();
  const PrimitiveTurn turn;
  return *kept.emplace_back(std::make_unique<PreparedProduct>(sizes));
}

// Rounding factors and laying them out anew takes longer than it saves where few products share
// them (measured in trainings of VAEs), and a call costs what a million products do.
bool pays(const Gemm<float>& g) {
  constexpr std::int64_t products_per_factor = 128, least_products = 1 << 20;
  return g.alpha == 1 && (g.beta == 0 || g.beta == 1) && g.m * g.n * g.k >= least_products &&
         g.m * g.n >= products_per_factor * (g.m + g.n);
}

}  // namespace

void gemm_bf16(const Gemm<float>& call) {
  if (RepeatableFunctions::on() || !pays(call)) return gemm(call);
  prepared_product(sizes_of(call)).run(call);
}

std::string onednn_version() {
  const dnnl_version_t* const v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

std::string bf16_kernels() {
  const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  const auto has = [isa](dnnl::cpu_isa wanted) {
    const auto bits = static_cast<unsigned>(wanted);
    return (isa & bits) == bits;
  };
  if (has(dnnl::cpu_isa::avx512_core_amx)) return "amx_bf16";
  return has(dnnl::cpu_isa::avx512_core_bf16) ? "avx512_bf16" : "";
}

}  // namespace logpx
#else
namespace logpx {

void gemm_bf16(const Gemm<float>& call) { gemm(call); }
std::string onednn_version() { return {}; }
std::string bf16_kernels() { return {}; }

}  // namespace logpx
#endif
