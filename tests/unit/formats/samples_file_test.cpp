#include "formats/samples_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

namespace logpx::samples_file_test {

using namespace logpx::testing;

TEST_CASE("samples: rows, origin and codes come back") {
  const ScratchFolder folder;
  const std::string hash = write_tiny_samples(folder / "s.h5", tiny_vectors(4, 3));
  SamplesFile file(folder / "s.h5");
  const TinyDataset data = tiny_vectors(4, 3);
  CHECK(file.content_hash() == hash);
  CHECK(file.info().n == 4);
  CHECK(file.info().notes == data.info.notes);  // the origin is no note
  CHECK(file.read(1, 3).x == slice(data, 1, 3).x);
  CHECK(file.origin().family == "vae");
  CHECK(file.origin().model_hash == "00");
  CHECK(file.origin().seed == 5);
  CHECK(file.origin().sampler.at("temperature").integer() == 1);
  const std::vector<double> z{1, 2, 3, 4};
  CHECK(*find_tensor(file.codes(), "z") == h5::Value::of<double>(z, {4, 1}));
}

TEST_CASE("samples: columns of their picture and the word that they are means come back") {
  const ScratchFolder folder;
  const TinyDataset data = tiny_images(6, 2, 2);
  OutputFile out(folder / "s.h5", Overwrite::refuse);
  SamplesWriter writer(out, data.info);
  writer.append(data.rows);
  SamplesOrigin origin{"vae", "00", 1, Json::object()};
  origin.grid_columns = 3;
  origin.is_mean = true;
  writer.finish(data.info, origin, {}, Json::object());
  out.commit();
  SamplesFile file(folder / "s.h5");
  CHECK(file.origin().grid_columns == 3);
  CHECK(file.origin().is_mean);
  CHECK(open_rows(folder / "s.h5").grid_columns == 3);
}

TEST_CASE("samples: codes may stand alone, and then there are no rows to read") {
  const ScratchFolder folder;
  const std::vector<float> u{0.25, 0.5, 0.75};
  DatasetInfo info;
  info.content = Content::vector;
  info.n = 3;
  OutputFile out(folder / "s.h5", Overwrite::refuse);
  SamplesWriter writer(out, info);
  Rows rows;
  rows.count = 3;
  writer.append(rows);
  writer.finish(info, {"kaem", "00", 1, Json::object()}, {TensorView::of<float>("u", u, {3, 1})},
                Json::object());
  out.commit();
  SamplesFile file(folder / "s.h5");
  CHECK(!file.has_x());
  CHECK(file.codes().size() == 1);
  CHECK_THROWS_AS((void)file.read(0, 1), Error);
}

TEST_CASE("samples: a reader of rows takes datasets and samples, and nothing else") {
  const ScratchFolder folder;
  const std::string hash = write_tiny_samples(folder / "s.h5", tiny_vectors(4, 3));
  write_tiny_dataset(folder / "d.h5", tiny_images(3, 2, 2));
  write_tiny_model(folder / "m.h5");
  const OpenRows samples = open_rows(folder / "s.h5");
  CHECK(samples.kind == ArtifactKind::samples);
  CHECK(samples.content_hash == hash);
  CHECK(samples.rows->read(0, 4).count == 4);
  CHECK(open_rows(folder / "d.h5").rows->read(0, 3).x == tiny_images(3, 2, 2).rows.x);
  CHECK_THROWS_AS((void)open_rows(folder / "m.h5"), Error);
}

}  // namespace logpx::samples_file_test
