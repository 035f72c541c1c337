// An array that oneDNN reads or writes, in another layout or type than its owner's. Included by the
// files that call oneDNN, and no others.
#pragma once

#include "libcore/math/blas.hpp"

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>

namespace logpx::onednn {

using dnnl::memory;

inline const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

inline void* handle(const float* data) { return const_cast<float*>(data); }

// In floats, whole cache lines.
inline std::int64_t elements_of(const memory::desc& desc) {
  return static_cast<std::int64_t>((desc.get_size() + 63) / 64 * 16);
}

// One operand as the caller stores it and as the primitive wants it.
class Operand {
 public:
  Operand(const memory::desc& plain, const memory::desc& wanted)
      : plain_(plain, engine(), DNNL_MEMORY_NONE),
        wanted_(wanted, engine(), DNNL_MEMORY_NONE),
        same_(plain == wanted) {}

  // What the primitive reads, from the caller's array; a copy goes to the workspace.
  const memory& read(const dnnl::stream& stream, const float* data, float*& workspace) {
    plain_.set_data_handle(handle(data));
    if (same_) return plain_;
    place(workspace);
    if (!in_) {
      const PrimitiveTurn turn;
      in_ = dnnl::reorder(plain_, wanted_);
    }
    in_.execute(stream, plain_, wanted_);
    return wanted_;
  }
  // Where the primitive writes; finish() brings it to the caller's array.
  const memory& target(float* data, bool add, float*& workspace) {
    plain_.set_data_handle(data);
    if (same_ && !add) return plain_;
    place(workspace);
    return wanted_;
  }
  void finish(const dnnl::stream& stream, bool add) {
    if (same_ && !add) return;
    dnnl::reorder& out = add ? out_adding_ : out_;
    if (!out) {
      const PrimitiveTurn turn;
      dnnl::primitive_attr attributes;
      dnnl::post_ops sum;
      if (add) sum.append_sum(1.0f);
      attributes.set_post_ops(sum);
      out = dnnl::reorder(dnnl::reorder::primitive_desc(wanted_, plain_, attributes));
    }
    out.execute(stream, wanted_, plain_);
  }

 private:
  void place(float*& workspace) {
    wanted_.set_data_handle(workspace);
    workspace += elements_of(wanted_.get_desc());
  }
  memory plain_, wanted_;
  bool same_;
  dnnl::reorder in_, out_, out_adding_;
};

}  // namespace logpx::onednn
