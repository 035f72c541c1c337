#include "formats/draw/bond_lines.hpp"
#include "formats/draw/molecule.hpp"
#include "formats/draw/molecule_sheet.hpp"
#include "formats/mol/chemistry.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace logpx::molecule_test {

using namespace logpx::draw;

namespace {

constexpr double half_root = 0.8660254037844386;

std::int64_t count_of(const std::string& text, const std::string& part) {
  std::int64_t count = 0;
  for (std::size_t place = text.find(part); place != std::string::npos;
       place = text.find(part, place + 1))
    ++count;
  return count;
}

// O=C-N, drawn as a bend.
MoleculePicture formamide() {
  MoleculePicture picture{.atoms = {{.place = {-half_root, 0.5}, .element = "O"},
                                    {.place = {0, 0}, .element = "C", .hydrogens = 1},
                                    {.place = {half_root, 0.5}, .element = "N", .hydrogens = 2}},
                          .bonds = {2, 0, 1}};
  return picture;
}

std::string drawn(const MoleculePicture& picture, const MoleculeLook& look) {
  Svg svg(200, 100);
  draw_molecule(svg, {0, 0, 200, 100}, picture, look);
  return svg.finish("test");
}

}  // namespace

TEST_CASE(
    "molecule: all atoms but carbon have letters, with their hydrogens, and bonds their lines") {
  const std::string svg = drawn(formamide(), {.bond = 24});
  CHECK(count_of(svg, ">O</text>") == 1);
  CHECK(count_of(svg, ">N</text>") == 1);
  CHECK(count_of(svg, ">H</text>") == 1);
  CHECK(count_of(svg, ">2</text>") == 1);
  CHECK(count_of(svg, ">C</text>") == 0);
  CHECK(count_of(svg, "<path") == 3);
}

TEST_CASE("molecule: charges and impossible atoms are shown, and unknown atoms are an x") {
  MoleculePicture picture = formamide();
  picture.atoms[0].charge = -1;
  picture.atoms[1].known = false;
  picture.atoms[2].impossible = true;
  picture.bonds[0] = unknown_part;
  const std::string svg = drawn(picture, {.bond = 24});
  CHECK(count_of(svg, ">\u2212</text>") == 1);
  CHECK(count_of(svg, ">x</text>") == 1);
  CHECK(count_of(svg, "<circle") == 1);
  CHECK(count_of(svg, "<path") == 1);
  CHECK(picture.is_impossible());
  CHECK_FALSE(formamide().is_impossible());
}

TEST_CASE("molecule: with all letters carbon has one, too, and the marked pair is coloured") {
  const std::string svg = drawn(formamide(), {.bond = 24, .letters = Letters::all, .marked = 4});
  CHECK(count_of(svg, ">C</text>") == 1);
  CHECK(count_of(svg, ">H</text>") == 0);
  CHECK(count_of(svg, "stroke=\"#d55e00\"") == 1);  // the pair without a bond
}

TEST_CASE("molecule: bonds tell the charges of atoms only where types do not") {
  if (!has_chemistry()) return;
  // Four carbons around a nitrogen: the pairs (0,1), (0,2), (0,3), (0,4) come first.
  const Molecule molecule{.atoms = {1, 0, 0, 0, 0}, .bonds = {1, 1, 1, 1, 0, 0, 0, 0, 0, 0}};
  const MoleculePicture restored = picture_of(molecule, AtomTypes::of_elements({"C", "N"}));
  CHECK(restored.atoms[0].charge == 1);
  CHECK_FALSE(restored.is_impossible());
  const MoleculePicture typed = picture_of(
      molecule, AtomTypes({{.element = "C"}, {.element = "N"}, {.element = "N", .charge = 1}}));
  CHECK(typed.atoms[0].charge == 0);
  CHECK(typed.atoms[0].impossible);
}

TEST_CASE("molecule: the second line of a double bond lies inside its ring") {
  // A square, the bond of atoms 0 and 1 at its bottom.
  const std::vector<PlanePoint> places = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const std::vector<std::uint8_t> bonds = {2, 0, 1, 1, 0, 1};
  const std::vector<BondLine> lines = lines_of_bond({places, bonds}, 0, 1);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].from.y == doctest::Approx(0));
  CHECK(lines[1].from.y > 0.1);
  CHECK(lines[1].from.x > 0.1);  // shortened
  CHECK(lines[1].to.x < 0.9);
}

TEST_CASE("molecule: both lines of a double bond at an end lie beside the middle") {
  const std::vector<PlanePoint> places = {{0, 0}, {1, 0}};
  for (const std::uint8_t order : std::vector<std::uint8_t>{1, 2, 3}) {
    const std::vector<BondLine> lines =
        lines_of_bond({places, std::vector<std::uint8_t>{order}}, 0, 1);
    CHECK(lines.size() == order);
    double sum = 0;
    for (const BondLine& line : lines) sum += line.from.y;
    CHECK(sum == doctest::Approx(0));
  }
  CHECK(lines_of_bond({places, std::vector<std::uint8_t>{unknown_part}}, 0, 1).empty());
}

TEST_CASE("molecule: a sheet has the columns asked for, and leaves out what does not fit") {
  const std::vector<MoleculePicture> molecules(7, formamide());
  const DrawnSheet whole = sheet_of_molecules(molecules, {.columns = 3});
  CHECK(whole.drawn == 7);
  CHECK(count_of(whole.svg, ">O</text>") == 7);
  CHECK(count_of(whole.svg, ">a&lt;b</text>") == 0);
  const DrawnSheet cut = sheet_of_molecules(
      molecules, {.columns = 2, .rows = 2, .captions = std::vector<std::string>(7, "a<b")});
  CHECK(cut.drawn == 4);
  CHECK(count_of(cut.svg, ">a&lt;b</text>") == 4);
  CHECK(sheet_of_molecules({}, {}).drawn == 0);
}

}  // namespace logpx::molecule_test
