// Layers and the whole tiny score network against tests/golden/vdm.json.
#include "libcore/families/vdm/networks/score_net.hpp"
#include "libcore/grad/ops_features.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/nn/unet.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/layer_model.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm_layers_test {
namespace {

using golden_layer::Values;

constexpr double double_tolerance = 1e-9, float_tolerance = 2e-5;

bool begins(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

// The file's dense weights are [out,in].
bool dense(const std::string& name, const Values& values) {
  return values.shape.rank() == 2 && name != "x" && name != "cond" && name != "z";
}

double largest_of_all(const Json& gradients) {
  double largest = 0;
  for (const auto& [name, gradient] : gradients.members())
    largest = std::max(largest, golden_layer::largest_of(golden_layer::tensor(gradient).data));
  return largest;
}

void check_both(const golden_layer::Case& item, const Json& entry,
                const std::map<std::string, std::string>& names) {
  const Values y = golden_layer::tensor(entry.at("output"));
  const double largest = largest_of_all(entry.at("grads"));
  for (const bool in_float : {false, true}) {
    CAPTURE(in_float);
    const golden_layer::Computed computed =
        in_float ? golden_layer::compute<float>(item) : golden_layer::compute<double>(item);
    const double tolerance = in_float ? float_tolerance : double_tolerance;
    golden_layer::check_close("output", computed.y, y.data, tolerance);
    for (const auto& [theirs, gradient] : entry.at("grads").members()) {
      const Values expected = golden_layer::tensor(gradient);
      golden_layer::check_close(
          theirs, computed.gradients.at(names.at(theirs)),
          dense(theirs, expected) ? golden_layer::transposed(expected).data : expected.data,
          tolerance, largest);
    }
  }
}

// A layer of one op, whose inputs the file calls x, w and b.
void check_op(const std::string& name, const Json& entry) {
  golden_layer::Case item;
  std::map<std::string, std::string> names;
  for (const auto& [input, json] : entry.at("inputs").members()) {
    const Values values = golden_layer::tensor(json);
    item.inputs[input] = dense(input, values) ? golden_layer::transposed(values) : values;
    item.wanted.push_back(input);
    names[input] = input;
  }
  item.upstream = golden_layer::tensor(entry.at("grad_output")).data;
  item.build = [&](Graph& graph) {
    std::map<std::string, Var> in;
    for (const auto& [input, values] : item.inputs)
      in.emplace(input, graph.input(input, values.shape));
    const Var x = in.at("x");
    if (name == "silu") return silu(x);
    const Var w = in.at("w"), b = in.at("b");
    if (name == "dense") return linear(x, w, b);
    if (begins(name, "group_norm")) return group_norm(x, w, b, 3, {.eps = 1e-6});
    if (name == "conv_transpose2d_4x4_stride2_pad1")
      return conv_transpose2d(x, w, b, {.stride = 2, .pad = 1});
    return conv2d(
        x, w, b,
        {.stride = name == "conv2d_3x3_stride2_pad1" ? 2 : 1, .pad = name == "conv2d_1x1" ? 0 : 1});
  };
  check_both(item, entry, names);
}

// A block with tensors of its own; `names` translates the file's.
void check_block(const Json& entry, LayerModel& model,
                 const std::map<std::string, std::string>& names,
                 const std::function<Var(Graph&)>& build) {
  golden_layer::Case item{.params = &model.params};
  for (const auto& [input, json] : entry.at("inputs").members()) {
    const Values values = golden_layer::tensor(json);
    const std::string& ours = names.at(input);
    if (model.params.find(ours) < 0) {
      item.inputs[ours] = values;
      item.wanted.push_back(ours);
    } else {
      item.parameters[ours] = dense(input, values) ? golden_layer::transposed(values) : values;
    }
  }
  item.upstream = golden_layer::tensor(entry.at("grad_output")).data;
  item.build = build;
  check_both(item, entry, names);
}

void check_attention(const Json& entry, std::int64_t heads) {
  LayerModel model;
  const Shape x = golden_layer::tensor(entry.at("inputs").at("x")).shape;
  const ImageAttention block(
      model.site / "a", x[1],
      {.heads = heads, .groups = entry.at("groups").integer(), .eps = entry.at("eps").number()});
  check_block(entry, model,
              {{"x", "x"},
               {"wq", "a/q/w"},
               {"bq", "a/q/b"},
               {"wk", "a/k/w"},
               {"bk", "a/k/b"},
               {"wv", "a/v/w"},
               {"bv", "a/v/b"},
               {"wo", "a/o/w"},
               {"bo", "a/o/b"},
               {"gw", "a/norm/w"},
               {"gb", "a/norm/b"}},
              [&](Graph& graph) { return block(model.params, graph.input("x", x)); });
}

void check_resnet(const Json& entry) {
  LayerModel model;
  const Shape x = golden_layer::tensor(entry.at("inputs").at("x")).shape,
              condition = golden_layer::tensor(entry.at("inputs").at("cond")).shape,
              y = golden_layer::tensor(entry.at("output")).shape;
  const ResnetBlock block(model.site / "r", x[1], y[1],
                          {.condition = condition[1],
                           .groups = entry.at("groups").integer(),
                           .eps = entry.at("eps").number()});
  check_block(entry, model,
              {{"x", "x"},
               {"cond", "cond"},
               {"g1w", "r/norm1/w"},
               {"g1b", "r/norm1/b"},
               {"c1w", "r/conv1/w"},
               {"c1b", "r/conv1/b"},
               {"cp", "r/cond_proj/w"},
               {"g2w", "r/norm2/w"},
               {"g2b", "r/norm2/b"},
               {"c2w", "r/conv2/w"},
               {"c2b", "r/conv2/b"},
               {"sw", "r/shortcut/w"},
               {"sb", "r/shortcut/b"}},
              [&](Graph& graph) {
                return block(model.params, graph.input("x", x), graph.input("cond", condition));
              });
}

// "down.0.norm1.w" is "down/0/norm1/w" here.
std::string path_of(std::string name) {
  for (char& c : name)
    if (c == '.') c = '/';
  return name;
}

}  // namespace

TEST_CASE("golden/vdm/layers") {
  const Json* layers = golden::field("vdm", "layers");
  if (!layers) return;
  for (const auto& [name, entry] : layers->members()) {
    CAPTURE(name);
    if (begins(name, "attn_block_heads")) check_attention(entry, std::stoll(name.substr(16)));
    else if (begins(name, "resnet_block")) check_resnet(entry);
    else check_op(name, entry);
  }
}

TEST_CASE("golden/vdm/score_net") {
  const Json* net = golden::field("vdm", "score_net");
  if (!net) return;
  const Json& config = net->at("config");
  const std::int64_t channels = config.at("channels_in").integer(),
                     width = config.at("width").integer(),
                     embedding = config.at("embed_dim").integer();
  vdm::NetForm form;
  form.options = {.channels = width,
                  .depth = config.at("depth").integer(),
                  .groups = config.at("groups").integer(),
                  .embedding = embedding,
                  .multipliers = {1}};
  const Shape picture = golden_layer::tensor(net->at("z")).shape;
  form.extents = {.dims = channels * picture[2] * picture[3],
                  .channels = channels,
                  .height = picture[2],
                  .width = picture[3]};
  for (const Json& n : config.at("fourier").items())
    form.exponents.push_back(static_cast<int>(n.integer()));
  form.ends = {config.at("gamma_min").number(), config.at("gamma_max").number()};
  LayerModel model;
  const auto network = vdm::picture_net(model.site, form);

  golden_layer::Case item{.params = &model.params};
  for (const auto& [name, json] : net->at("params").members()) {
    const Values values = golden_layer::tensor(json);
    item.parameters[path_of(name)] =
        dense(name, values) ? golden_layer::transposed(values) : values;
  }
  item.inputs = {{"z", golden_layer::tensor(net->at("z"))},
                 {"gamma", golden_layer::tensor(net->at("gamma"))}};
  item.wanted = {"z"};
  item.upstream = golden_layer::tensor(net->at("grad_output")).data;
  item.inputs.at("z").shape = {picture[0], form.extents.dims};
  item.build = [&](Graph& graph) {
    return (*network)(model.params,
                      {.z = graph.input("z", item.inputs.at("z").shape),
                       .gamma = graph.input("gamma", item.inputs.at("gamma").shape)},
                      BlockPass::evaluation);
  };
  const golden_layer::Computed computed = golden_layer::compute<double>(item);
  golden_layer::check_close("eps_hat", computed.y, golden_layer::tensor(net->at("eps_hat")).data,
                            1e-6);
  golden_layer::check_close("z", computed.gradients.at("z"),
                            golden_layer::tensor(net->at("grad_z")).data, 1e-6);
  const double largest = largest_of_all(net->at("grad_params"));
  for (const auto& [name, json] : net->at("grad_params").members()) {
    const Values values = golden_layer::tensor(json);
    golden_layer::check_close(
        name, computed.gradients.at(path_of(name)),
        dense(name, values) ? golden_layer::transposed(values).data : values.data, 1e-6, largest);
  }
}

TEST_CASE("golden/vdm/fourier") {
  const Json* fourier = golden::field("vdm", "fourier");
  if (!fourier) return;
  const Json& image = fourier->at("image");
  std::vector<int> exponents;
  for (const Json& n : image.at("n").items()) exponents.push_back(static_cast<int>(n.integer()));
  const Values z = golden_layer::tensor(image.at("z_nchw")),
               y = golden_layer::tensor(image.at("out_nchw"));
  golden_layer::Case item;
  item.inputs = {{"z", z}};
  item.wanted = {"z"};
  item.upstream.assign(y.data.size(), 1);
  item.build = [&](Graph& graph) { return fourier_features(graph.input("z", z.shape), exponents); };
  // Twelve digits of z are 4e-10 after the factor 2^8 pi.
  golden_layer::check_close("features", golden_layer::compute<double>(item).y, y.data, 1e-9);
}

TEST_CASE("golden/vdm/fourier: sines and cosines of single numbers") {
  const Json* fourier = golden::field("vdm", "fourier");
  if (!fourier) return;
  for (const Json& points : fourier->at("points").items()) {
    std::vector<int> exponents;
    for (const Json& n : points.at("n").items()) exponents.push_back(static_cast<int>(n.integer()));
    const std::vector<double> z = golden_layer::tensor(points.at("z")).data;
    const std::int64_t count = std::ssize(z);
    golden_layer::Case item;
    item.inputs = {{"z", {{1, 1, count}, z}}};
    item.wanted = {"z"};
    item.upstream.assign(z.size() * (1 + 2 * exponents.size()), 1);
    item.build = [&](Graph& graph) {
      return fourier_features(graph.input("z", {1, 1, count}), exponents);
    };
    std::vector<double> expected = z;
    for (const char* wave : {"sin", "cos"})
      for (const Json& row : points.at(wave).items())
        for (const double value : golden_layer::tensor(row).data) expected.push_back(value);
    const std::vector<double> made = golden_layer::compute<double>(item).y;
    REQUIRE(made.size() == expected.size());
    for (std::size_t i = 0; i < made.size(); ++i) CHECK(std::fabs(made[i] - expected[i]) < 1e-9);
  }
}

TEST_CASE("golden/vdm/time_embedding") {
  const Json* embedding = golden::field("vdm", "time_embedding");
  if (!embedding) return;
  const Values t = golden_layer::tensor(embedding->at("t")),
               out = golden_layer::tensor(embedding->at("out"));
  golden_layer::Case item;
  item.inputs = {{"t", t}};
  item.wanted = {"t"};
  item.upstream.assign(out.data.size(), 1);
  item.build = [&](Graph& graph) {
    return time_embedding(graph.input("t", t.shape), embedding->at("dim").integer());
  };
  golden_layer::check_close("rows", golden_layer::compute<double>(item).y, out.data, 1e-10);
}

}  // namespace logpx::vdm_layers_test
