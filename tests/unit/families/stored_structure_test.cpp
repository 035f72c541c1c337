// A model whose shapes follow from a stored tree, through both containers; and what anyone may have
// written there instead.
#include "formats/data_description.hpp"
#include "formats/file/output.hpp"
#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tree_model.hpp"
#include "tools/archives/capsule.hpp"
#include "tools/archives/coding_model.hpp"
#include "tools/store/model_store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace logpx::stored_structure_test {

using namespace logpx::testing;

namespace {

const TreeShape shape{{2, 2, -1, 0, 0}, {3, 2, 4, 1, 5}};

TreeModel tree_model() {
  register_tree();
  TreeModel model(shape, 3);
  model.initialise(Rng(4));
  return model;
}

Rows drawn(const Model& model, std::int64_t count) {
  return sample_rows(abilities(model), 0, count, Rng(9));
}

std::vector<double> scores(const Model& model, const Rows& rows) {
  return score_with(abilities(model), {model.info().data, rows, 0}, Rng(1)).nats;
}

void save(const std::string& path, Model& model) {
  OutputFile out(path, Overwrite::replace);
  save_model(out, model, {}, Json::object());
  out.commit();
}

// The error of loading this tree, as a file and as an embedded model.
struct Forged {
  std::vector<std::int32_t> parents, states;
  std::int64_t dims = 5;
};
std::string refusal(const Forged& forged) {
  register_tree();
  const ScratchFolder folder;
  const auto n = [](const std::vector<std::int32_t>& values) { return std::ssize(values); };
  ModelContents contents{
      .family = "tree-fixture",
      .config = Json::object(),
      .parameters = {},
      .constants = {TensorView::of<std::int32_t>("tree/parents", forged.parents,
                                                 {n(forged.parents)}),
                    TensorView::of<std::int32_t>("tree/states", forged.states, {n(forged.states)})},
      .attributes = data_attributes(tree_data(forged.dims, 3))};
  OutputFile out(folder / "m.h5", Overwrite::replace);
  write_model(out, contents, Json::object());
  out.commit();
  try {
    static_cast<void>(load_model(ModelFile(folder / "m.h5")));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.subject().find("m.h5") != std::string::npos);
    return std::string(error.what()).substr(error.subject().find("m.h5"));
  }
  return "";
}

// With other bytes for one of the tensors of an embedded model.
std::unique_ptr<Model> open_with(Model& model, const std::string& name,
                                 const std::function<void(std::span<std::byte>)>& change) {
  archive::ByteVector bytes = compress::make_capsule(model, compress::CapsulePrecision::whole);
  model.params([&](const TensorRef& tensor, TensorRole) {
    if (tensor.name != name) return;
    const auto found = std::ranges::search(bytes, tensor.bytes);
    REQUIRE(!found.empty());
    change({found.data(), found.size()});
  });
  return compress::open_capsule(bytes);
}

}  // namespace

TEST_CASE("stored structure: shapes come back out of a tree, and every bit with them") {
  TreeModel model = tree_model();
  const Rows rows = drawn(model, 50);
  const ScratchFolder folder;
  save(folder / "m.h5", model);
  const LoadedModel loaded = load_model(ModelFile(folder / "m.h5"));
  CHECK(scores(*loaded.model, rows) == scores(model, rows));
  CHECK(drawn(*loaded.model, 50).x == rows.x);
  const auto embedded =
      compress::open_capsule(compress::make_capsule(model, compress::CapsulePrecision::whole));
  CHECK(scores(*embedded, rows) == scores(model, rows));
  CHECK(compress::identity_of(*embedded) == compress::identity_of(model));
  CHECK(compress::identity_of(*loaded.model) == compress::identity_of(model));
}

TEST_CASE(
    "stored structure: probabilities of all rows sum to one, and of what is known to theirs") {
  const TreeModel model = tree_model();
  const std::int16_t lacks = -1;
  const auto log_p = [&](std::vector<std::int16_t> x) {
    Rows rows;
    rows.count = 1;
    const auto bytes = std::as_bytes(std::span(x));
    rows.x.assign(bytes.begin(), bytes.end());
    return scores(model, rows)[0];
  };
  double all = 0, some = 0;
  for (int code = 0; code < 3 * 3 * 3 * 3 * 3; ++code) {
    std::vector<std::int16_t> x;
    for (int rest = code; std::ssize(x) < 5; rest /= 3)
      x.push_back(static_cast<std::int16_t>(rest % 3));
    const double p = std::exp(log_p(x));
    all += p;
    if (x[0] == 1 && x[3] == 2) some += p;
  }
  CHECK(all == doctest::Approx(1).epsilon(1e-9));
  CHECK(std::exp(log_p({1, lacks, lacks, 2, lacks})) == doctest::Approx(some).epsilon(1e-9));
  CHECK(log_p({lacks, lacks, lacks, lacks, lacks}) == doctest::Approx(0).epsilon(1e-9));
}

TEST_CASE("stored structure: a tree that is none is a data error that names its tensor") {
  CHECK(refusal({{1, 2, 0, 0, 0}, {2, 2, 2, 2, 2}}) ==
        "m.h5: tree/parents: node 0 depends on itself");
  CHECK(refusal({{-1, 1, 0, 0, 0}, {2, 2, 2, 2, 2}}) ==
        "m.h5: tree/parents: node 1 depends on itself");
  CHECK(refusal({{-1, 0, 0, 0, 5}, {2, 2, 2, 2, 2}}) ==
        "m.h5: tree/parents: node 4 depends on 5, which is not a node");
  CHECK(refusal({{-1, 0, 0, 0}, {2, 2, 2, 2}}) == "m.h5: tree/parents: has 4 nodes, expected 5");
  CHECK(refusal({{-1, 0, 0, 0, 0}, {2, 2, 2, 2}}) ==
        "m.h5: tree/states: has 4 elements, expected 5");
  CHECK(refusal({{-1, 0, 0, 0, 0}, {2, 2, 0, 2, 2}}) ==
        "m.h5: tree/states: node 2 has 0 states, expected 1 to 64");
  CHECK(refusal({{}, {}}) == "m.h5: tree/parents: has 0 elements, expected 1 to 4096");
}

TEST_CASE("stored structure: shapes that overflow and a million nodes are refused before memory") {
  const std::int32_t huge = std::numeric_limits<std::int32_t>::max();
  CHECK(refusal({{-1, 0, 0, 0, 0}, {huge, huge, 2, 2, 2}}) ==
        "m.h5: tree/states: node 0 has 2147483647 states, expected 1 to 64");
  const std::vector<std::int32_t> million(1'000'000, -1);
  CHECK(refusal({million, million, 1'000'000}) ==
        "m.h5: tree/parents: has 1000000 elements, expected 1 to 4096");
  // Allowed for each node, but too much for a file of this size.
  const std::vector<std::int32_t> chain(4096, 0), wide(4096, 64);
  std::vector<std::int32_t> parents = chain;
  parents[0] = -1;
  CHECK(refusal({parents, wide, 4096}) ==
        "m.h5: config: asks for a larger model than its tensors make");
}

TEST_CASE("stored structure: a constant that is absent or of another type is named") {
  TreeModel model = tree_model();
  const ScratchFolder folder;
  const auto without = [&](const char* name, bool as_floats) {
    std::vector<float> floats(5);
    ModelContents contents{.family = "tree-fixture",
                           .config = Json::object(),
                           .parameters = {},
                           .constants = {},
                           .attributes = data_attributes(model.info().data)};
    model.params([&](const TensorRef& tensor, TensorRole role) {
      if (role == TensorRole::parameter) contents.parameters.raw.push_back(view_of(tensor));
      else if (tensor.name != name) contents.constants.push_back(view_of(tensor));
      else if (as_floats) contents.constants.push_back(TensorView::of<float>(name, floats, {5}));
    });
    OutputFile out(folder / "m.h5", Overwrite::replace);
    write_model(out, contents, Json::object());
    out.commit();
    CHECK_THROWS_WITH_AS(static_cast<void>(load_model(ModelFile(folder / "m.h5"))),
                         doctest::Contains(as_floats ? "is f32 of shape [5], expected i32 of rank 1"
                                                     : "tree/parents: is missing"),
                         Error);
  };
  without("tree/parents", false);
  without("tree/states", true);
}

TEST_CASE("stored structure: a model checks its tensors once they are filled") {
  TreeModel model = tree_model();
  CHECK(open_with(model, "node1/leaf", [](auto) {}) != nullptr);
  const auto put = [](float value) {
    return [value](std::span<std::byte> bytes) {
      std::ranges::copy(std::as_bytes(std::span(&value, 1)), bytes.begin());
    };
  };
  for (const float wrong : {2.0F, -0.5F, std::numeric_limits<float>::quiet_NaN()})
    CHECK_THROWS_WITH_AS(static_cast<void>(open_with(model, "node1/leaf", put(wrong))),
                         "embedded model: node1/leaf: row 0 holds no probabilities", Error);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(open_with(model, "tree/parents",
                                  [](std::span<std::byte> bytes) { bytes[0] = std::byte{3}; })),
      "embedded model: tree/parents: node 0 depends on itself", Error);
}

TEST_CASE("stored structure: a model says whether it takes missing values") {
  const TreeModel model = tree_model();
  DatasetInfo data = tree_data(5, 3);
  data.has_missing = true;
  require_fit(model.info(), data, "table.h5");
  ModelInfo other = model.info();
  other.missing = false;
  CHECK_THROWS_WITH_AS(require_fit(other, data, "table.h5"),
                       "table.h5: has missing values, and this tree-fixture takes none", Error);
}

}  // namespace logpx::stored_structure_test
