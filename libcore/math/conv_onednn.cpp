// Convolution by oneDNN 2.x, one thread per call. Primitives are made once per shape and thread,
// then reused; blocked copies of the operands, and oneDNN's own scratch, lie in the workspace.
#include "libcore/math/blas.hpp"
#include "libcore/math/conv_paths.hpp"

#if LOGPX_HAVE_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace logpx {

namespace {

using dnnl::memory;

enum class Kind { forward, data, weights };

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

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

void* handle(const float* data) { return const_cast<float*>(data); }

// In floats, whole cache lines.
std::int64_t elements_of(const memory::desc& desc) {
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
    if (!in_) in_ = dnnl::reorder(plain_, wanted_);
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

struct Layout {
  explicit Layout(const ConvShape& s)
      : x({s.images, s.in_channels, s.in_height, s.in_width}),
        w({s.out_channels, s.in_channels, s.kernel.y, s.kernel.x}),
        y({s.images, s.out_channels, s.out_height(), s.out_width()}),
        bias({s.out_channels}),
        strides({s.stride, s.stride}),
        pad({s.pad.y, s.pad.x}),
        // Pixels that the last window leaves over count as negative padding.
        pad_end({(s.out_height() - 1) * s.stride + s.kernel.y - s.in_height - s.pad.y,
                 (s.out_width() - 1) * s.stride + s.kernel.x - s.in_width - s.pad.x}) {}
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
  return {{kind, dnnl::algorithm::convolution_direct, any(l.x), any(l.w), plain(l.bias), any(l.y),
           l.strides, l.pad, l.pad_end},
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
      {dnnl::algorithm::convolution_direct, any(l.x), any(l.w), any(l.y), l.strides, l.pad,
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
      {dnnl::algorithm::convolution_direct, any(l.x), any(l.w), any(l.y), l.strides, l.pad,
       l.pad_end},
      attributes, engine(), forward);
  return {dnnl::convolution_backward_weights(desc),
          {plain(l.x), desc.src_desc()},
          {plain(l.y), desc.diff_dst_desc()},
          {plain(l.w), desc.diff_weights_desc()},
          desc.scratchpad_desc()};
}

Blueprint blueprint(const ConvShape& shape, Kind kind) {
  // A primitive plans for omp_get_max_threads() and waits for ever when fewer come.
  single_threaded_kernels();
  const Layout layout(shape);
  switch (kind) {
    case Kind::forward: return forward_blueprint(layout);
    case Kind::data: return data_blueprint(layout);
    case Kind::weights: break;
  }
  return weights_blueprint(layout);
}

class Prepared {
 public:
  Prepared(const ConvShape& shape, Kind kind) : Prepared(shape, kind, blueprint(shape, kind)) {}

  [[nodiscard]] bool is_for(const ConvShape& shape, Kind kind) const {
    return kind_ == kind && shape_ == shape;
  }

  struct Arrays {
    const float *first, *second, *bias;
    float* out;
    bool add;
    float* workspace;
  };
  void run(const Arrays& arrays) {
    const Arguments ids = arguments_of(kind_);
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
    if (kind_ == Kind::forward) {
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
  Prepared(const ConvShape& shape, Kind kind, const Blueprint& from)
      : shape_(shape),
        kind_(kind),
        primitive_(from.primitive),
        first_(from.first.plain, from.first.wanted),
        second_(from.second.plain, from.second.wanted),
        out_(from.out.plain, from.out.wanted),
        scratchpad_(from.scratchpad, engine(), DNNL_MEMORY_NONE),
        bias_(plain({shape.out_channels}), engine(), DNNL_MEMORY_NONE) {
    if (kind == Kind::forward) no_bias_.assign(static_cast<std::size_t>(shape.out_channels), 0.0f);
  }
  ConvShape shape_;
  Kind kind_;
  dnnl::primitive primitive_;
  dnnl::stream stream_{engine()};
  Operand first_, second_, out_;
  memory scratchpad_, bias_;
  std::vector<float> no_bias_;
};

Prepared& prepared(const ConvShape& shape, Kind kind) {
  constexpr std::size_t most = 512;
  thread_local std::vector<std::unique_ptr<Prepared>> kept;
  for (const auto& one : kept)
    if (one->is_for(shape, kind)) return *one;
  if (kept.size() == most) kept.clear();
  return *kept.emplace_back(std::make_unique<Prepared>(shape, kind));
}

struct Need {
  ConvShape shape;
  std::int64_t elements;
};

}  // namespace

void onednn_forward(const ConvCall<float>& call) {
  prepared(call.shape, Kind::forward)
      .run({call.x, call.w, call.bias, call.y, false, call.workspace});
}

void onednn_backward_data(const ConvCall<float>& call) {
  const ConvShape& s = call.shape;
  const bool add = call.bias || call.beta != 0;
  if (add) start_images(call);
  prepared(s, Kind::data).run({call.dy, call.w, nullptr, call.dx, add, call.workspace});
}

void onednn_backward_weights(const ConvCall<float>& call) {
  prepared(call.shape, Kind::weights)
      .run({call.x, call.dy, nullptr, call.dw, call.beta != 0, call.workspace});
}

std::int64_t onednn_workspace(const ConvShape& shape) {
  thread_local std::vector<Need> known;  // a plan asks several times for the same
  for (const Need& need : known)
    if (need.shape == shape) return need.elements;
  Need need{shape, 0};
  for (const Kind kind : {Kind::forward, Kind::data, Kind::weights})
    need.elements = std::max(need.elements, blueprint(shape, kind).workspace(kind));
  return known.emplace_back(need).elements;
}

std::string onednn_version() {
  const dnnl_version_t* const v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

}  // namespace logpx
#endif
