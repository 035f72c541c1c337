// Convolution by oneDNN 2.x, one thread per call. Primitives are made once per shape and thread,
// then reused; blocked copies of the operands, and oneDNN's own scratch, lie in the workspace.
#include "libcore/math/blas.hpp"
#include "libcore/math/conv_paths.hpp"

#if LOGPX_HAVE_ONEDNN
#include "libcore/math/onednn_operand.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace logpx {

namespace {

using onednn::elements_of;
using onednn::engine;
using onednn::handle;
using onednn::memory;
using onednn::Operand;

enum class Kind { forward, data, weights };

// One primitive computes each of these.
struct Job {
  ConvShape shape;
  Kind kind;
  Convolution path;
  friend bool operator==(const Job&, const Job&) = default;
};

// The primitive's arguments: two read, one written; forward also reads the bias.
struct Arguments {
  int first, second, out;
};
Arguments arguments_of(Kind kind) {
  switch (kind) {
    case Kind::forward: return {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
    case Kind::data: return {DNNL_ARG_DIFF_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_SRC};
    case Kind::weights: return {DNNL_ARG_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_WEIGHTS};
  }
  return {};
}

struct Layout {
  Layout(const ConvShape& s, Convolution path)
      : factor(path == Convolution::bf16 ? memory::data_type::bf16 : memory::data_type::f32),
        x({s.images, s.in_channels, s.in_height, s.in_width}),
        w({s.out_channels, s.in_channels, s.kernel.y, s.kernel.x}),
        y({s.images, s.out_channels, s.out_height(), s.out_width()}),
        bias({s.out_channels}),
        strides({s.stride, s.stride}),
        pad({s.pad.y, s.pad.x}),
        // Pixels that the last window leaves over count as negative padding.
        pad_end({(s.out_height() - 1) * s.stride + s.kernel.y - s.in_height - s.pad.y,
                 (s.out_width() - 1) * s.stride + s.kernel.x - s.in_width - s.pad.x}) {}
  // What is multiplied has this type, and results are f32.
  [[nodiscard]] memory::desc read(const memory::dims& dims) const {
    return {dims, factor, memory::format_tag::any};
  }
  memory::data_type factor;
  memory::dims x, w, y, bias, strides, pad, pad_end;
};

memory::desc any(const memory::dims& dims) {
  return {dims, memory::data_type::f32, memory::format_tag::any};
}
memory::desc plain(const memory::dims& dims) {
  return {dims, memory::data_type::f32,
          dims.size() == 1 ? memory::format_tag::a : memory::format_tag::abcd};
}

struct OperandDescs {
  memory::desc plain, wanted;
  [[nodiscard]] bool same() const { return plain == wanted; }
};

// A oneDNN primitive, and the layouts in which it wants the arrays.
struct Blueprint {
  dnnl::primitive primitive;
  OperandDescs first, second, out;
  memory::desc scratchpad;

  [[nodiscard]] std::int64_t workspace(Kind kind) const {
    std::int64_t elements = elements_of(scratchpad);
    for (const OperandDescs* operand : {&first, &second})
      if (!operand->same()) elements += elements_of(operand->wanted);
    // Results that may have to be added go through a copy.
    if (!out.same() || kind != Kind::forward) elements += elements_of(out.wanted);
    return elements;
  }
};

dnnl::convolution_forward::primitive_desc forward_desc(const Layout& l, dnnl::prop_kind kind) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return {{kind, dnnl::algorithm::convolution_direct, l.read(l.x), l.read(l.w), plain(l.bias),
           any(l.y), l.strides, l.pad, l.pad_end},
          attributes,
          engine()};
}

Blueprint forward_blueprint(const Layout& l) {
  const auto desc = forward_desc(l, dnnl::prop_kind::forward_inference);
  return {dnnl::convolution_forward(desc),
          {plain(l.x), desc.src_desc()},
          {plain(l.w), desc.weights_desc()},
          {plain(l.y), desc.dst_desc()},
          desc.scratchpad_desc()};
}

Blueprint data_blueprint(const Layout& l) {
  const auto forward = forward_desc(l, dnnl::prop_kind::forward_training);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::convolution_backward_data::primitive_desc desc(
      {dnnl::algorithm::convolution_direct, any(l.x), l.read(l.w), l.read(l.y), l.strides, l.pad,
       l.pad_end},
      attributes, engine(), forward);
  return {dnnl::convolution_backward_data(desc),
          {plain(l.y), desc.diff_dst_desc()},
          {plain(l.w), desc.weights_desc()},
          {plain(l.x), desc.diff_src_desc()},
          desc.scratchpad_desc()};
}

Blueprint weights_blueprint(const Layout& l) {
  const auto forward = forward_desc(l, dnnl::prop_kind::forward_training);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::convolution_backward_weights::primitive_desc desc(
      {dnnl::algorithm::convolution_direct, l.read(l.x), any(l.w), l.read(l.y), l.strides, l.pad,
       l.pad_end},
      attributes, engine(), forward);
  return {dnnl::convolution_backward_weights(desc),
          {plain(l.x), desc.src_desc()},
          {plain(l.y), desc.diff_dst_desc()},
          {plain(l.w), desc.diff_weights_desc()},
          desc.scratchpad_desc()};
}

Blueprint blueprint(const Job& job) {
  // A primitive plans for omp_get_max_threads() and waits for ever when fewer come.
  single_threaded_kernels();
  const PrimitiveTurn turn;
  const Layout layout(job.shape, job.path);
  switch (job.kind) {
    case Kind::forward: return forward_blueprint(layout);
    case Kind::data: return data_blueprint(layout);
    case Kind::weights: break;
  }
  return weights_blueprint(layout);
}

class Prepared {
 public:
  explicit Prepared(const Job& job) : Prepared(job, blueprint(job)) {}

  [[nodiscard]] const Job& job() const { return job_; }

  struct Arrays {
    const float *first, *second, *bias;
    float* out;
    bool add;
    float* workspace;
  };
  void run(const Arrays& arrays) {
    const Arguments ids = arguments_of(job_.kind);
    float* workspace = arrays.workspace;
    scratchpad_.set_data_handle(workspace);
    workspace += elements_of(scratchpad_.get_desc());
    std::array<dnnl_exec_arg_t, 5> list = {
        {{ids.first, first_.read(stream_, arrays.first, workspace).get()},
         {ids.second, second_.read(stream_, arrays.second, workspace).get()},
         {ids.out, out_.target(arrays.out, arrays.add, workspace).get()},
         {DNNL_ARG_SCRATCHPAD, scratchpad_.get()},
         {}}};
    int count = 4;
    if (job_.kind == Kind::forward) {
      bias_.set_data_handle(handle(arrays.bias ? arrays.bias : no_bias_.data()));
      list[4] = {DNNL_ARG_BIAS, bias_.get()};
      count = 5;
    }
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(primitive_.get(), stream_.get(), count, list.data()),
        "convolution failed");
    out_.finish(stream_, arrays.add);
  }

 private:
  Prepared(const Job& job, const Blueprint& from)
      : job_(job),
        primitive_(from.primitive),
        first_(from.first.plain, from.first.wanted),
        second_(from.second.plain, from.second.wanted),
        out_(from.out.plain, from.out.wanted),
        scratchpad_(from.scratchpad, engine(), DNNL_MEMORY_NONE),
        bias_(plain({job.shape.out_channels}), engine(), DNNL_MEMORY_NONE) {
    if (job.kind == Kind::forward)
      no_bias_.assign(static_cast<std::size_t>(job.shape.out_channels), 0.0f);
  }
  Job job_;
  dnnl::primitive primitive_;
  dnnl::stream stream_{engine()};
  Operand first_, second_, out_;
  memory scratchpad_, bias_;
  std::vector<float> no_bias_;
};

Prepared& prepared(const Job& job) {
  constexpr std::size_t most = 512;
  thread_local std::vector<std::unique_ptr<Prepared>> kept;
  for (const auto& one : kept)
    if (one->job() == job) return *one;
  if (kept.size() == most) kept.clear();
  return *kept.emplace_back(std::make_unique<Prepared>(job));
}

struct Need {
  ConvShape shape;
  Convolution path;
  std::int64_t elements;
};

}  // namespace

void onednn_forward(const ConvCall<float>& call) {
  prepared({call.shape, Kind::forward, call.path})
      .run({call.x, call.w, call.bias, call.y, false, call.workspace});
}

void onednn_backward_data(const ConvCall<float>& call) {
  const bool add = call.bias || call.beta != 0;
  if (add) start_images(call);
  prepared({call.shape, Kind::data, call.path})
      .run({call.dy, call.w, nullptr, call.dx, add, call.workspace});
}

void onednn_backward_weights(const ConvCall<float>& call) {
  prepared({call.shape, Kind::weights, call.path})
      .run({call.x, call.dy, nullptr, call.dw, call.beta != 0, call.workspace});
}

std::int64_t onednn_workspace(const ConvShape& shape, Convolution path) {
  thread_local std::vector<Need> known;  // a plan asks several times for the same
  for (const Need& need : known)
    if (need.shape == shape && need.path == path) return need.elements;
  Need need{shape, path, 0};
  for (const Kind kind : {Kind::forward, Kind::data, Kind::weights})
    need.elements = std::max(need.elements, blueprint({shape, kind, path}).workspace(kind));
  return known.emplace_back(need).elements;
}

}  // namespace logpx
#endif
