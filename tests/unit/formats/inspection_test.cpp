#include "formats/inspection.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

namespace logpx::inspection_test {

using namespace logpx::testing;

namespace {

Json table_of(const Json& facts, const std::string& path) {
  for (const Json& table : facts.at("tables").items())
    if (table.at("path").string() == path) return table;
  return {};
}

}  // namespace

TEST_CASE("inspection: a dataset has its domain, splits and observed ranges") {
  const ScratchFolder folder;
  const TinyDataset data = tiny_images(24, 3, 3);
  const std::string hash = write_tiny_dataset(folder / "d.h5", data);
  const Json facts = describe_artifact(ArtifactFile(folder / "d.h5"));
  CHECK(facts.at("kind").string() == "dataset");
  CHECK(facts.at("content_hash").string() == hash);
  CHECK(facts.at("attributes").at("value_max").number() == 255);
  CHECK(facts.at("splits").at(std::size_t{1}).at("rows").integer() == 2);
  const Json x = table_of(facts, "/data/x");
  const auto pixels = data.rows.values<std::uint8_t>();
  CHECK(x.at("type").string() == "u8");
  CHECK(x.at("shape") == Json::array({24, 3, 3, 1}));
  CHECK(x.at("bytes").integer() == 24 * 9);
  CHECK(x.at("min").integer() == *std::min_element(pixels.begin(), pixels.end()));
  CHECK(x.at("max").integer() == *std::max_element(pixels.begin(), pixels.end()));
}

TEST_CASE("inspection: settings are shown as JSON and parameters are counted once") {
  const ScratchFolder folder;
  write_tiny_model(folder / "m.h5");
  const Json model = describe_artifact(ArtifactFile(folder / "m.h5"));
  CHECK(model.at("attributes").at("config").at("latent").integer() == 3);
  CHECK(model.at("parameters").integer() == 9);  // averages do not count
  write_tiny_checkpoint(folder / "c.h5");
  const Json checkpoint = describe_artifact(ArtifactFile(folder / "c.h5"));
  CHECK(checkpoint.at("attributes").at("seed").unsigned_integer() == ~std::uint64_t{0});
  CHECK(checkpoint.at("attributes").at("settings").at("lr").number() == 0.001);
}

TEST_CASE("inspection: values that are not finite are counted beside the range of the others") {
  const ScratchFolder folder;
  TinyWeights weights;
  weights.weight = {1,  std::numeric_limits<float>::quiet_NaN(), 3, 4,
                    -5, std::numeric_limits<float>::infinity()};
  OutputFile out(folder / "m.h5", Overwrite::refuse);
  write_model(out, weights.model(), Json::object());
  out.commit();
  const Json table =
      table_of(describe_artifact(ArtifactFile(folder / "m.h5")), "/params/raw/net/weight");
  CHECK(table.at("min").number() == -5);
  CHECK(table.at("max").number() == 4);
  CHECK(table.at("not_finite").integer() == 2);
  CHECK_THROWS_WITH(check_artifact(ArtifactFile(folder / "m.h5")),
                    doctest::Contains("/params/raw/net/weight: holds a value that is not finite"));
}

TEST_CASE("inspection: the check of every kind passes on what was written") {
  const ScratchFolder folder;
  write_tiny_dataset(folder / "d.h5", tiny_text(5, 3));
  write_tiny_model(folder / "m.h5");
  write_tiny_checkpoint(folder / "c.h5");
  write_tiny_samples(folder / "s.h5", tiny_images(4, 2, 2));
  write_tiny_features(folder / "f.h5");
  write_tiny_statistics(folder / "t.h5");
  write_tiny_scores(folder / "l.h5");
  for (const char* name : {"d.h5", "m.h5", "c.h5", "s.h5", "f.h5", "t.h5", "l.h5"})
    CHECK_NOTHROW(check_artifact(ArtifactFile(folder / name)));
}

TEST_CASE("inspection: the check finds what no reader would take, though the hash is right") {
  const ScratchFolder folder;
  TinyDataset text = tiny_text(5, 3);
  text.rows.x[10] = std::byte{99};
  write_tiny_dataset(folder / "d.h5", text);
  CHECK_NOTHROW(ArtifactFile(folder / "d.h5").check());
  CHECK_THROWS_WITH(check_artifact(ArtifactFile(folder / "d.h5")),
                    doctest::Contains("row 3, element 1 holds 99"));
}

TEST_CASE("inspection: reports and histories are told apart, and from other JSON") {
  const TextFacts report = describe_text(
      "{\n \"schema\": \"logpx.report/1\", \"tool\": \"t\", \"result\": {\"n\": 3}}", "r.json");
  CHECK(report.kind == "report");
  CHECK(report.facts.at("answer").at("n").integer() == 3);
  CHECK(report.provenance.find("result") == nullptr);
  CHECK(report.provenance.at("tool").string() == "t");
  const TextFacts one_line = describe_text("{\"schema\": \"logpx.report/1\"}\n", "r.json");
  CHECK(one_line.kind == "report");
  const TextFacts history = describe_text("{\"step\": 1}\n{\"step\": 2}\n\n{\"step\": 3}\n", "h");
  CHECK(history.kind == "history");
  CHECK(history.facts.at("lines").integer() == 3);
  CHECK(history.facts.at("last").at("step").integer() == 3);
  CHECK_THROWS_WITH((void)describe_text("{\"step\": 1}\n[2]\n", "h"),
                    "h:2: is an array, expected an object");
  CHECK_THROWS_AS((void)describe_text("{\n}", "x.json"), Error);
}

}  // namespace logpx::inspection_test
