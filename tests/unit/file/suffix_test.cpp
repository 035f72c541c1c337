#include "formats/file/suffix.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::suffix_test {
namespace {

// "message | hint" of the refusal; empty: none came.
std::string refusal(const std::string& path, const FormatChoice& choice) {
  try {
    (void)format_for(path, choice);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return std::string(error.what()) + " | " + error.hint();
  }
  return {};
}

const FormatChoice chart = {.formats = {"svg", "png", "gp"}, .option = "--format"};

}  // namespace

TEST_CASE("suffix: it names a format in any case and any usual spelling") {
  CHECK(promised_format("a.h5") == "h5");
  CHECK(promised_format("dir.csv/A.HDF5") == "h5");
  CHECK(promised_format("photo.JPEG") == "jpg");
  CHECK(promised_format("model.h5.gz") == "gz");
  for (const char* silent : {"", "-", "a", "dir.csv/a", ".csv", "v1.0", "a.", "a.tmp", "/dev/null"})
    CHECK_MESSAGE(promised_format(silent).empty(), silent);
}

TEST_CASE("suffix: a name that promises another format is refused, with names that would do") {
  CHECK(refusal("a.csv", {.formats = {"h5"}}) ==
        "a.csv: the name says CSV, but this output is HDF5 | name it a.h5");
  CHECK(refusal("out/a.PDF", chart) ==
        "out/a.PDF: the name says PDF, but this output is SVG, PNG or a gnuplot script | "
        "name it out/a.svg, out/a.png or out/a.gp");
  CHECK(format_for("a.Gnuplot", chart) == "gp");
  CHECK(format_for("a.he5", {.formats = {"h5"}}) == "h5");
}

TEST_CASE(
    "suffix: a name that promises nothing takes the only format, and is no choice of several") {
  CHECK(format_for("a", {.formats = {"h5"}}) == "h5");
  CHECK(format_for("a.tmp", {.formats = {"h5"}}) == "h5");
  CHECK(refusal("v1.0", chart) ==
        "v1.0: the name does not say whether SVG, PNG or a gnuplot script is meant | "
        "name it v1.0.svg, v1.0.png or v1.0.gp, or choose by --format");
  for (const char* stream : {"-", "/dev/null", "/dev/stdout"})
    CHECK(format_for(stream, chart) == "svg");
}

TEST_CASE("suffix: an option chooses where the name says nothing, and must not contradict it") {
  FormatChoice png = chart;
  png.wanted = "png";
  CHECK(format_for("a", png) == "png");
  CHECK(format_for("-", png) == "png");
  CHECK(format_for("a.png", png) == "png");
  CHECK(refusal("a.svg", png) ==
        "a.svg: the name says SVG, but --format asks for PNG | name it a.png");
}

}  // namespace logpx::suffix_test
