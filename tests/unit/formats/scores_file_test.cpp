#include "formats/scores_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::scores_file_test {

using namespace logpx::testing;

namespace {

void write(const std::string& path, const ScoresContents& scores) {
  OutputFile out(path, Overwrite::replace);
  write_scores(out, scores, Json::object());
  out.commit();
}

}  // namespace

TEST_CASE("scores: every column comes back") {
  const ScratchFolder folder;
  const std::string hash = write_tiny_scores(folder / "s.h5");
  const ScoresFile file(folder / "s.h5");
  CHECK(file.content_hash() == hash);
  const ScoresContents &read = file.contents(), written = tiny_scores();
  CHECK(read.method == written.method);
  CHECK(read.likelihood_kind == written.likelihood_kind);
  CHECK(read.measured == written.measured);
  CHECK(read.first_row == 40);
  CHECK(read.rows == written.rows);
  CHECK(read.labels == written.labels);
  CHECK(read.label_names == written.label_names);
  CHECK(read.dims_observed == written.dims_observed);
  CHECK(read.nats == written.nats);
  CHECK(read.mc_std_error == written.mc_std_error);
  CHECK(read.terms == written.terms);
  CHECK(read.facts == written.facts);
}

TEST_CASE("scores: as a table they stand beside the source, row by row") {
  ScoresContents scores = tiny_scores();
  scores.nats[1] = -HUGE_VAL;
  CHECK(table_of(scores, 0, 2).text(TableForm::csv) ==
        "row,label,label_name,dims_observed,log_likelihood,mc_std_error,kl,recon,ess\n"
        "80,1,\"a, dog\",4,-1.5,0.1,-1.0,-0.5,10.0\n"
        "7,0,cat,4,-inf,0.2,-1.0,-1.0,20.0\n");
  CHECK(
      table_of(scores, 1, 2).text(TableForm::json_lines) ==
      R"({"row": 7, "label": 0, "label_name": "cat", "dims_observed": 4, "log_likelihood": null, )"
      R"("mc_std_error": 0.2, "kl": -1.0, "recon": -1.0, "ess": 20.0})"
      "\n");
  scores.rows.clear();
  scores.labels.clear();
  scores.label_names.clear();
  scores.dims_observed.clear();
  CHECK(table_of(scores, 2, 3).text(TableForm::csv) ==
        "row,log_likelihood,mc_std_error,kl,recon,ess\n42,-0.25,0.3,-0.125,-0.125,30.0\n");
}

TEST_CASE("scores: minus infinity is a log-probability; what is no number is a data error") {
  const ScratchFolder folder;
  ScoresContents scores = tiny_scores();
  scores.nats[1] = -HUGE_VAL;
  write(folder / "s.h5", scores);
  CHECK(ScoresFile(folder / "s.h5").contents().nats[1] == -HUGE_VAL);
  scores.nats[1] = std::nan("");
  write(folder / "s.h5", scores);
  CHECK_THROWS_WITH(ScoresFile(folder / "s.h5"),
                    doctest::Contains("element 1 is not a log-probability"));
}

TEST_CASE("scores: a flipped byte is found before anything is compared or shown") {
  const ScratchFolder folder;
  const ScoresContents scores = tiny_scores();
  write(folder / "s.h5", scores);
  flip_in(folder / "s.h5", scores.nats[2]);
  CHECK_THROWS_WITH(ScoresFile(folder / "s.h5"),
                    doctest::Contains("/log_likelihood: content hash does not match"));
}

TEST_CASE("scores: only the same rows of the same data, read alike, are compared") {
  const ScratchFolder folder;
  write_tiny_scores(folder / "a.h5");
  const ScoresFile a(folder / "a.h5");
  const auto complaint = [&](const ScoresContents& other) -> std::string {
    write(folder / "b.h5", other);
    try {
      require_comparable(a, ScoresFile(folder / "b.h5"));
      return "";
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      return error.message();
    }
  };
  ScoresContents other = tiny_scores();
  other.method = "elbo";
  other.model_hash = "22";
  CHECK(complaint(other).empty());
  other.first_row = 0;
  CHECK(complaint(other).starts_with("scores rows 0:3, but "));
  other = tiny_scores();
  other.reading = "dynamic";
  CHECK(complaint(other).starts_with("was made with --binarise dynamic"));
  other = tiny_scores();
  other.measured = {.word = "probability"};
  CHECK(complaint(other).starts_with("has the logarithm of a probability, and "));
  other.measured = {.word = "probability", .comparable_to_rgb = false};
  CHECK(complaint(other).starts_with("has the logarithm of a probability of colours with loss, "));
  other.measured = {.word = "density", .density_of = "x/255"};
  CHECK(complaint(other).ends_with(" that of a density of x: they have no common scale"));
  other.measured = {};  // as older files are
  CHECK(complaint(other).empty());
  other.data_hash = "33";
  CHECK(complaint(other).starts_with("scores other data than "));
}

}  // namespace logpx::scores_file_test
