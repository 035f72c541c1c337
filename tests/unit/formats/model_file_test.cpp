#include "formats/model_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

namespace logpx::model_file_test {

using namespace logpx::testing;

TEST_CASE("model: parameters come back in the order of their creation, with their averages") {
  const ScratchFolder folder;
  const std::string hash = write_tiny_model(folder / "m.h5");
  const ModelFile file(folder / "m.h5");
  CHECK(file.family() == "vae");
  CHECK(file.config().at("latent").integer() == 3);
  CHECK(file.content_hash() == hash);
  CHECK(file.provenance() == tiny_provenance());
  const Parameters parameters = file.parameters();
  REQUIRE(parameters.raw.size() == 2);
  REQUIRE(parameters.ema.size() == 2);
  CHECK(parameters.raw[0].name == "net/weight");  // not the order of the alphabet
  CHECK(parameters.raw[1].name == "net/bias");
  const TinyWeights weights;
  CHECK(parameters.raw[0].value == h5::Value::of<float>(weights.weight, {2, 3}));
  CHECK(parameters.ema[0].value == h5::Value::of<float>(weights.weight_average, {2, 3}));
  CHECK(parameters.ema[1].value == h5::Value::of<float>(weights.bias_average, {3}));
  REQUIRE(file.constants().size() == 1);
  CHECK(*find_tensor(file.constants(), "grid") == h5::Value::of<double>(weights.grid, {3}));
  CHECK(file.attributes() == Attributes{{"structure", h5::Value::text("{}")}});
}

TEST_CASE("model: without averages and constants there is nothing of them") {
  const ScratchFolder folder;
  OutputFile out(folder / "m.h5", Overwrite::refuse);
  const TinyWeights weights;
  ModelContents model{.family = "pc",
                      .config = Json::object(),
                      .parameters = weights.parameters(),
                      .constants = {},
                      .attributes = {}};
  model.parameters.ema.clear();
  write_model(out, model, Json::object());
  out.commit();
  const ModelFile file(folder / "m.h5");
  CHECK(file.parameters().raw.size() == 2);
  CHECK(file.parameters().ema.empty());
  CHECK(file.constants().empty());
  CHECK(file.attributes().empty());
}

TEST_CASE("model: tensors that are mostly zeros take little room, and come back whole") {
  const ScratchFolder folder;
  std::vector<float> zeros(64 << 10);
  zeros[5] = 1.5F;
  zeros.back() = -2;
  const std::vector<double> none(1 << 10);
  OutputFile out(folder / "m.h5", Overwrite::refuse);
  const ModelContents model{
      .family = "pc",
      .config = Json::object(),
      .parameters = {{TensorView::of<float>("pruned", zeros, {64, 1 << 10})}, {}},
      .constants = {TensorView::of<double>("none", none, {1 << 10})},
      .attributes = {}};
  write_model(out, model, Json::object());
  out.commit();
  CHECK(out.bytes() < 32 << 10);
  const ModelFile file(folder / "m.h5");
  file.check();
  CHECK(file.parameters().raw[0].value == h5::Value::of<float>(zeros, {64, 1 << 10}));
  CHECK(*find_tensor(file.constants(), "none") == h5::Value::of<double>(none, {1 << 10}));
}

TEST_CASE("model: a config and an attribute beyond 64 KiB are kept whole") {
  const ScratchFolder folder;
  const std::string large(70 << 10, 'x');
  OutputFile out(folder / "m.h5", Overwrite::refuse);
  write_model(
      out,
      {.family = "pc",
       .config = Json::object().set("large", large),
       .parameters = {},
       .constants = {},
       .attributes = {{"structure", h5::Value::text(large)}, {"empty", h5::Value::text("")}}},
      Json::object());
  out.commit();
  const ModelFile file(folder / "m.h5");
  CHECK(file.config().at("large").string() == large);
  CHECK(file.attributes() ==
        Attributes{{"empty", h5::Value::text("")}, {"structure", h5::Value::text(large)}});
  CHECK_NOTHROW(ArtifactFile(folder / "m.h5").check());
}

}  // namespace logpx::model_file_test
