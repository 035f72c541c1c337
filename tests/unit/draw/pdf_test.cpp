#include "formats/draw/gnuplot.hpp"

#include <doctest/doctest.h>

#include <string>

namespace logpx::pdf_test {

using namespace logpx::draw;

namespace {

// The end of a file as cairo writes it.
const std::string drawn =
    "%PDF-1.5\n12 0 obj\n<< /Producer (cairo)\n   /CreationDate (D:20261122012048Z)\n>>\nendobj\n"
    "xref\n0 1\ntrailer\n<< /Size 15\n   /Root 13 0 R\n   /Info 12 0 R\n>>\nstartxref\n99\n%%EOF\n";

}  // namespace

TEST_CASE("pdf: title and subject are added behind, and the time of drawing is blanked") {
  const std::string pdf = with_pdf_facts(drawn, {.title = "A\u00df\U0001F600", .subject = "x"});
  CHECK(pdf.find("CreationDate") == std::string::npos);
  CHECK(pdf.substr(0, 30) == drawn.substr(0, 30));
  CHECK(pdf.find("12 0 obj\n<< /Title <feff004100dfd83dde00> /Subject <feff0078> >>") ==
        drawn.size());
  CHECK(pdf.find("<< /Size 15 /Root 13 0 R /Info 12 0 R /Prev 99 >>") != std::string::npos);
  const std::size_t table = pdf.rfind("\nxref\n12 1\n") + 1;
  CHECK(pdf.ends_with("startxref\n" + std::to_string(table) + "\n%%EOF\n"));
  CHECK(pdf.find("\n0000000" + std::to_string(drawn.size()) + " 00000 n \n") != std::string::npos);
}

TEST_CASE("pdf: one that was cut short is not whole") {
  CHECK(is_whole_pdf(drawn));
  CHECK_FALSE(is_whole_pdf(drawn.substr(0, drawn.size() - 4)));
  CHECK_FALSE(is_whole_pdf(drawn.substr(1)));
  CHECK_FALSE(is_whole_pdf(""));
}

}  // namespace logpx::pdf_test
