// A family from end to end, by the tests' fixture: build, score, sample, save, load.
#include "libcore/families/registry.hpp"

#include "formats/data_description.hpp"
#include "formats/file/output.hpp"
#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "tests/support/mixture_model.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/store/model_store.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::registry_test {
namespace {

Rows rows_of(const std::vector<float>& points) {
  Rows rows;
  rows.count = std::ssize(points) / 2;
  const auto bytes = std::as_bytes(std::span(points));
  rows.x.assign(bytes.begin(), bytes.end());
  return rows;
}

std::vector<double> scores(const Model& model, const Rows& rows) {
  return testing::score_with(abilities(model), {model.info().data, rows, 0}, Rng(1)).nats;
}

}  // namespace

TEST_CASE("registry: an unknown family is a data error; abilities name who has them") {
  register_mixture();
  CHECK(find_family("mixture-fixture").trainer == "train-fixture");
  try {
    static_cast<void>(find_family("vea"));
    FAIL("was found");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.message().find("mixture-fixture") != std::string::npos);
  }
  register_family({.name = "coding-fixture",
                   .summary = "for this test",
                   .trainer = "",
                   .draft = {},
                   .code = [](const Model&) { return nullptr; }});
  CHECK(families_with(&Family::code).find("coding-fixture") != std::string::npos);
  CHECK(families_with(&Family::code).find("mixture-fixture") == std::string::npos);
}

TEST_CASE("registry: a saved model loads with its config, and scores and samples as before") {
  register_mixture();
  const testing::ScratchFolder scratch;
  MixtureModel model({.components = 3});
  model.initialise(Rng(5));
  const Rows rows = rows_of(ring_points(10, 3, Rng(2)));
  // Averages that differ from the parameters.
  std::vector<float> average(model.param_set().block().begin(), model.param_set().block().end());
  for (float& value : average) value += 0.25f;
  std::vector<TensorRef> ema;
  const ParamSet& params = model.param_set();
  for (int i = 0; i < params.count(); ++i)
    ema.push_back(TensorRef::of(params.infos()[static_cast<std::size_t>(i)].name,
                                params.view(i, std::span(average)).span(), params.view(i).shape));
  OutputFile out(scratch / "m.h5", Overwrite::refuse);
  save_model(out, model, ema, Json::object());
  out.commit();

  const ModelFile file(scratch / "m.h5");
  const LoadedModel raw = load_model(file, Weights::raw);
  CHECK(scores(*raw.model, rows) == scores(model, rows));
  CHECK(raw.model->info().data.shape == model.info().data.shape);
  const LoadedModel best = load_model(file);
  CHECK(best.weights == Weights::ema);
  CHECK(scores(*best.model, rows) != scores(model, rows));
  CHECK(best.can.code == nullptr);

  const Rows whole = testing::sample_rows(raw.can, 0, 8, Rng(9));
  const Rows tail = testing::sample_rows(raw.can, 5, 3, Rng(9));
  CHECK(std::equal(tail.x.begin(), tail.x.end(), whole.x.end() - std::ssize(tail.x)));
  for (const double nats : scores(*raw.model, whole)) CHECK(std::isfinite(nats));
}

TEST_CASE("registry: a model file whose tensors do not fit its config is a data error") {
  register_mixture();
  const testing::ScratchFolder scratch;
  MixtureModel model({.components = 3});
  OutputFile out(scratch / "m.h5", Overwrite::refuse);
  ModelContents contents{.family = "mixture-fixture",
                         .config = Json::object().set("components", 4),
                         .parameters = {},
                         .constants = {},
                         .attributes = data_attributes(model.info().data)};
  model.params([&](const TensorRef& tensor, TensorRole) {
    contents.parameters.raw.push_back(view_of(tensor));
  });
  write_model(out, contents, Json::object());
  out.commit();
  try {
    static_cast<void>(load_model(ModelFile(scratch / "m.h5")));
    FAIL("was loaded");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.message() == "has shape [3], expected [4]");
    CHECK(error.subject().find("m.h5") != std::string::npos);
  }
}

}  // namespace logpx::registry_test
