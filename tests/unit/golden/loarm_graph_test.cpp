// The graph transformer against tests/golden/loarm.json.
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/graph_states.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace logpx::loarm_graph_test {
namespace {

using golden_layer::Values;

GraphNetOptions options_of(const Json& entry) {
  const Json& d = entry.at("dims");
  const auto widths = [&](const char* part) {
    const auto one = [&](const char* of) { return d.at(part + std::string(of)).integer(); };
    return GraphWidths{one("x"), one("e"), one("y")};
  };
  return {.node_values = d.at("ax").integer(),
          .edge_values = d.at("ae").integer(),
          .most_nodes = entry.at("n_max_for_y").integer(),
          .layers = entry.at("layers").integer(),
          .heads = entry.at("heads").integer(),
          .width = widths("d"),
          .feed_forward = widths("f"),
          .hidden = widths("h"),
          .policies = d.at("ox").integer() - d.at("ax").integer()};
}

// The file's tensors by our names. Its matrices are [out,in]; matrices that we hold as one are
// joined, and those that we hold apart are cut.
class Translation {
 public:
  explicit Translation(const Json& params) : params_(params) {}

  [[nodiscard]] std::vector<double> operator()(const std::string& ours, const Shape& shape) const {
    const std::size_t slash = ours.rfind('/');
    const std::string layer = ours.substr(0, slash), part = ours.substr(slash + 1);
    const std::vector<std::string> theirs = names_of(layer);
    const std::string kind = layer.find("norm") != std::string::npos && part == "w" ? "g" : part;
    if (theirs.size() == 1 && theirs[0].starts_with("out") && theirs[0].ends_with("2"))
      return cut(theirs[0] + '.' + kind, shape, layer.ends_with("policy"));
    std::vector<Values> parts;
    for (const std::string& name : theirs) parts.push_back(theirs_as_ours(name + '.' + kind));
    const std::int64_t rows = shape.rank() == 2 ? shape[0] : 1;
    std::vector<double> joined;
    for (std::int64_t r = 0; r < rows; ++r)
      for (const Values& values : parts) {
        const std::int64_t width = std::ssize(values.data) / rows;
        joined.insert(joined.end(), values.data.begin() + r * width,
                      values.data.begin() + (r + 1) * width);
      }
    return joined;
  }

 private:
  static std::vector<std::string> names_of(const std::string& layer) {
    static const std::map<std::string, std::vector<std::string>> names = {
        {"in/nodes/dense0", {"inX1"}},
        {"in/nodes/dense1", {"inX2"}},
        {"in/edges/dense0", {"inE1"}},
        {"in/edges/dense1", {"inE2"}},
        {"in/globals/dense0", {"iny1"}},
        {"in/globals/dense1", {"iny2"}},
        {"out/nodes/hidden", {"outX1"}},
        {"out/nodes/logits", {"outX2"}},
        {"out/nodes/policy", {"outX2"}},
        {"out/pairs/hidden", {"outE1"}},
        {"out/pairs/logits", {"outE2"}},
        {"out/pairs/policy", {"outE2"}},
        {"q", {"q"}},
        {"k", {"k"}},
        {"v", {"v"}},
        {"gates", {"e_mul", "e_add"}},
        {"edge_film", {"y_e_mul", "y_e_add"}},
        {"node_film", {"y_x_mul", "y_x_add"}},
        {"edge_out", {"e_out"}},
        {"node_out", {"x_out"}},
        {"nodes/norm1", {"nx1"}},
        {"nodes/norm2", {"nx2"}},
        {"nodes/dense0", {"fx1"}},
        {"nodes/dense1", {"fx2"}},
        {"edges/norm1", {"ne1"}},
        {"edges/norm2", {"ne2"}},
        {"edges/dense0", {"fe1"}},
        {"edges/dense1", {"fe2"}},
        {"globals/own", {"y_y"}},
        {"globals/from_nodes", {"x_y"}},
        {"globals/from_edges", {"e_y"}},
        {"globals/out/dense0", {"y_o1"}},
        {"globals/out/dense1", {"y_o2"}},
        {"globals/tail/norm1", {"ny1"}},
        {"globals/tail/norm2", {"ny2"}},
        {"globals/tail/dense0", {"fy1"}},
        {"globals/tail/dense1", {"fy2"}}};
    if (!layer.starts_with("layer")) return names.at(layer);
    std::vector<std::string> found = names.at(layer.substr(layer.find('/') + 1));
    for (std::string& name : found) name = "l" + layer.substr(5, layer.find('/') - 5) + '.' + name;
    return found;
  }

  [[nodiscard]] Values theirs_as_ours(const std::string& name) const {
    const Values values = golden_layer::tensor(params_.at(name));
    return values.shape.rank() == 2 ? golden_layer::transposed(values) : values;
  }

  // The policy's channels are the last ones.
  [[nodiscard]] std::vector<double> cut(const std::string& name, const Shape& shape,
                                        bool last) const {
    const Values all = theirs_as_ours(name);
    const std::int64_t rows = shape.rank() == 2 ? shape[0] : 1, width = shape.elements() / rows,
                       whole = std::ssize(all.data) / rows;
    std::vector<double> part;
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto first = all.data.begin() + r * whole + (last ? whole - width : 0);
      part.insert(part.end(), first, first + width);
    }
    return part;
  }

  const Json& params_;
};

// The file's graph, filled up to so many nodes.
GraphStateValues state_of(const Json& entry, std::int64_t nodes) {
  GraphStateValues state(1, nodes);
  const auto pair_at = [&](const Json& pair) {
    return at(pair_number(nodes, pair.at(0).integer(), pair.at(1).integer()));
  };
  for (std::size_t i = 0; i < entry.at("atoms").size(); ++i) {
    state.exists[i] = 1;
    state.node_values[i] = static_cast<std::int32_t>(entry.at("atoms").at(i).integer());
  }
  for (const Json& bond : entry.at("bonds").items())
    state.pair_values[pair_at(bond)] = static_cast<std::int32_t>(bond.at(2).integer());
  for (const Json& node : entry.at("unmasked_nodes").items())
    state.nodes_shown[at(node.integer())] = 1;
  for (const Json& pair : entry.at("unmasked_edges").items()) state.pairs_shown[pair_at(pair)] = 1;
  return state;
}

template <typename T>
void check_case(const Json& entry, std::int64_t padding, double tolerance) {
  LayerModel model;
  const GraphNet net(model.site, options_of(entry));
  std::vector<T> block(at(model.params.block_size()));
  const Translation theirs(entry.at("params"));
  for (const ParamInfo& info : model.params.infos()) {
    CAPTURE(info.name);
    const std::vector<double> values = theirs(info.name, info.shape);
    REQUIRE(std::ssize(values) == info.shape.elements());
    for (std::size_t i = 0; i < values.size(); ++i)
      block[at(info.offset) + i] = static_cast<T>(values[i]);
  }
  const std::int64_t n = entry.at("n").integer(), nodes = n + padding;
  const GraphNumbers numbers = graph_numbers<T>(net, model.params, block, state_of(entry, nodes));
  const std::int64_t wide = entry.at("dims").at("ox").integer(),
                     edge_wide = entry.at("dims").at("oe").integer();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t c = 0; c < wide; ++c)
      CHECK(std::fabs(numbers.nodes[at(i * wide + c)] -
                      entry.at("node_out").at(at(i)).at(at(c)).number()) < tolerance);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j)
      for (std::int64_t c = 0; c < edge_wide; ++c) {
        const double ours = numbers.pairs[at(pair_number(nodes, i, j) * edge_wide + c)];
        const Json& rows = entry.at("edge_out");
        CHECK(std::fabs(ours - rows.at(at(i)).at(at(j)).at(at(c)).number()) < tolerance);
        CHECK(std::fabs(ours - rows.at(at(j)).at(at(i)).at(at(c)).number()) < tolerance);
      }
}

}  // namespace

TEST_CASE("golden/loarm/graph_transformer") {
  const Json* cases = golden::field("loarm", "graph_transformer");
  if (!cases) return;
  for (const Json& entry : cases->items())
    for (const std::int64_t padding : {0, 3}) {
      CAPTURE(padding);
      check_case<double>(entry, padding, 1e-9);
      check_case<float>(entry, padding, 1e-4);
    }
}

}  // namespace logpx::loarm_graph_test
