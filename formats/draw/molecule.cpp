#include "formats/draw/molecule.hpp"

#include "formats/draw/bond_lines.hpp"
#include "formats/mol/chemistry.hpp"
#include "formats/mol/molecule_lines.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace logpx::draw {
namespace {

// Dark enough to be read in grey print.
struct ElementInk {
  std::string_view element, colour;
};
constexpr std::array<ElementInk, 9> element_inks = {{{"N", "#1f4fb4"},
                                                     {"O", "#c0141f"},
                                                     {"F", "#1e7a2e"},
                                                     {"Cl", "#1e7a2e"},
                                                     {"Br", "#7a2f0f"},
                                                     {"I", "#5b2a86"},
                                                     {"S", "#7d6100"},
                                                     {"P", "#a34a00"},
                                                     {"B", "#8a4b52"}}};
constexpr std::string_view black = "#000000", unknown_ink = "#8a8a8a", marked_ink = "#d55e00";
constexpr double font_of_bond = 0.5, around = 0.55;  // of a bond's length
constexpr double capital = 0.36;                     // half a capital's height, of the font

std::string_view ink_of(std::string_view element) {
  for (const ElementInk& known : element_inks)
    if (known.element == element) return known.colour;
  return black;
}

// How wide a text is in Helvetica, of the font's size.
double width_of(std::string_view text) {
  double width = 0;
  for (const char letter : text) {
    if (letter == 'l' || letter == 'i' || letter == 'I') width += 0.25;
    else if (letter == 'r') width += 0.33;
    else if (letter >= 'A' && letter <= 'Z') width += 0.72;
    else width += 0.56;
  }
  return width;
}

// Picture and paper: lengths of bonds to pixels.
struct Paper {
  double bond = 1, x = 0, y = 0;
  [[nodiscard]] SvgPoint at(PlanePoint place) const {
    return {x + bond * place.x, y - bond * place.y};
  }
  [[nodiscard]] double font() const { return std::max(font_of_bond * bond, 4.0); }
};

struct Bounds {
  PlanePoint low, high;
};

Bounds bounds_of(const std::vector<PicturedAtom>& atoms) {
  Bounds bounds{{0, 0}, {0, 0}};
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const PlanePoint at = atoms[i].place;
    if (i == 0) bounds = {at, at};
    bounds.low = {std::min(bounds.low.x, at.x), std::min(bounds.low.y, at.y)};
    bounds.high = {std::max(bounds.high.x, at.x), std::max(bounds.high.y, at.y)};
  }
  return bounds;
}

class Drawing {
 public:
  Drawing(Svg& svg, const MoleculePicture& picture, const MoleculeLook& look, Paper paper)
      : svg_(svg), picture_(picture), look_(look), paper_(paper) {
    for (const PicturedAtom& atom : picture.atoms) places_.push_back(atom.place);
  }

  void draw() {
    const std::size_t n = places_.size();
    std::int64_t dim = std::ssize(places_);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j, ++dim) draw_bond(i, j, dim == look_.marked);
    for (std::size_t i = 0; i < n; ++i) {
      draw_atom(i);
      if (picture_.atoms[i].impossible)
        svg_.ring(paper_.at(places_[i]), 0.42 * paper_.bond,
                  {.colour = "#c0141f", .width = line_width(), .dash = "2.5 2.5"});
    }
  }

 private:
  [[nodiscard]] BondedAtoms bonded() const { return {places_, picture_.bonds}; }
  [[nodiscard]] double line_width() const { return std::max(0.06 * paper_.bond, 0.7); }

  [[nodiscard]] bool has_letters(std::size_t i) const {
    const PicturedAtom& atom = picture_.atoms[i];
    return look_.letters == Letters::all || !atom.known || atom.element != "C" ||
           atom.charge != 0 || bonded().neighbours(i).empty();
  }
  [[nodiscard]] std::string letters_of(std::size_t i) const {
    return picture_.atoms[i].known ? picture_.atoms[i].element : "x";
  }

  // How far along the way from atom i its letters reach.
  [[nodiscard]] double reach(std::size_t i, PlanePoint along) const {
    if (!has_letters(i)) return 0;
    const double em = paper_.font() / paper_.bond;
    const double half_width = (width_of(letters_of(i)) / 2 + 0.16) * em,
                 half_height = (capital + 0.16) * em;
    return std::min(half_width / std::max(std::abs(along.x), 1e-6),
                    half_height / std::max(std::abs(along.y), 1e-6));
  }

  void draw_bond(std::size_t i, std::size_t j, bool marked) {
    const double length =
        std::max(std::hypot(places_[j].x - places_[i].x, places_[j].y - places_[i].y), 1e-6);
    const PlanePoint along = {(places_[j].x - places_[i].x) / length,
                              (places_[j].y - places_[i].y) / length};
    const double from = reach(i, along), to = reach(j, along);
    const Stroke stroke = {.colour = marked ? marked_ink : black,
                           .width = line_width() * (marked ? 1.8 : 1)};
    if (from + to >= length) return;
    for (BondLine line : lines_of_bond(bonded(), i, j)) {
      // A shortened second line may already end before the letters.
      const auto gone = [&](PlanePoint at, PlanePoint of) {
        return std::abs((at.x - of.x) * along.x + (at.y - of.y) * along.y);
      };
      const double more_from = std::max(0.0, from - gone(line.from, places_[i])),
                   more_to = std::max(0.0, to - gone(line.to, places_[j]));
      line.from = {line.from.x + more_from * along.x, line.from.y + more_from * along.y};
      line.to = {line.to.x - more_to * along.x, line.to.y - more_to * along.y};
      svg_.line(paper_.at(line.from), paper_.at(line.to), stroke);
    }
    if (marked && bonded().order(i, j) == 0) mark_no_bond(i, j, along, length);
  }

  // A pair that is known to have none.
  void mark_no_bond(std::size_t i, std::size_t j, PlanePoint along, double length) {
    const double from = reach(i, along), to = length - reach(j, along);
    const auto on_the_way = [&](double far) {
      return paper_.at({places_[i].x + far * along.x, places_[i].y + far * along.y});
    };
    svg_.line(on_the_way(from), on_the_way(to),
              {.colour = marked_ink, .width = line_width(), .dash = "1.5 4"});
  }

  // To the right if there is room, else to the left, above, below.
  [[nodiscard]] PlanePoint free_side(std::size_t i) const {
    constexpr std::array<PlanePoint, 4> sides = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
    constexpr std::array<double, 4> dislike = {0, 0.05, 1.05, 1.05};
    PlanePoint best = sides[0];
    double least = 10;
    for (std::size_t s = 0; s < sides.size(); ++s) {
      double nearest = -1;
      for (const std::size_t j : bonded().neighbours(i)) {
        const double dx = places_[j].x - places_[i].x, dy = places_[j].y - places_[i].y;
        const double far = std::max(std::hypot(dx, dy), 1e-6);
        nearest = std::max(nearest, (dx * sides[s].x + dy * sides[s].y) / far);
      }
      if (nearest + dislike[s] < least) least = nearest + dislike[s], best = sides[s];
    }
    return best;
  }

  void draw_atom(std::size_t i) {
    if (!has_letters(i)) {
      if (static_cast<std::int64_t>(i) == look_.marked)
        svg_.dot(paper_.at(places_[i]), 0.12 * paper_.bond, marked_ink);
      return;
    }
    const PicturedAtom& atom = picture_.atoms[i];
    const double em = paper_.font();
    const SvgPoint centre = paper_.at(atom.place);
    const bool marked = static_cast<std::int64_t>(i) == look_.marked;
    const std::string_view colour = marked       ? marked_ink
                                    : atom.known ? ink_of(atom.element)
                                                 : unknown_ink;
    const TextLook look = {.size = em,
                           .colour = colour,
                           .anchor = Anchor::middle,
                           .weight = marked ? Weight::bold : Weight::plain};
    const double half = width_of(letters_of(i)) * em / 2;
    svg_.text({centre.x, centre.y + capital * em}, letters_of(i), look);
    if (look_.letters == Letters::all) return;
    const PlanePoint side = atom.hydrogens > 0 ? free_side(i) : PlanePoint{-1, 0};
    draw_charge(atom, {centre.x + half, centre.y}, side.x > 0, colour);
    if (atom.hydrogens > 0) draw_hydrogens(atom.hydrogens, centre, side, {half, colour});
  }

  struct Letter {
    double half = 0;  // its width
    std::string_view colour;
  };
  void draw_hydrogens(int count, SvgPoint centre, PlanePoint side, const Letter& of) {
    const double em = paper_.font(), small = 0.68 * em;
    const std::string number = count > 1 ? std::to_string(count) : "";
    const double wide = 0.72 * em, all = wide + width_of(number) * small;
    double x = centre.x - wide / 2, y = centre.y + capital * em - side.y * 0.92 * em;
    if (side.x > 0) x = centre.x + of.half;
    if (side.x < 0) x = centre.x - of.half - all;
    svg_.text({x, y}, "H", {.size = em, .colour = of.colour});
    if (!number.empty())
      svg_.text({x + wide, y + 0.2 * em}, number, {.size = small, .colour = of.colour});
  }

  // Above the letters, and behind an H to their right.
  void draw_charge(const PicturedAtom& atom, SvgPoint corner, bool hydrogens_right,
                   std::string_view colour) {
    if (atom.charge == 0) return;
    const double em = paper_.font();
    std::string text = std::abs(atom.charge) > 1 ? std::to_string(std::abs(atom.charge)) : "";
    text += atom.charge > 0 ? "+" : "\u2212";
    const double behind = hydrogens_right ? (atom.hydrogens > 1 ? 1.1 : 0.72) * em : 0;
    svg_.text({corner.x + behind, corner.y - 0.14 * em}, text,
              {.size = 0.72 * em, .colour = colour, .weight = Weight::bold});
  }

  Svg& svg_;
  const MoleculePicture& picture_;
  const MoleculeLook& look_;
  Paper paper_;
  std::vector<PlanePoint> places_;
};

}  // namespace

bool MoleculePicture::is_impossible() const {
  return std::ranges::any_of(atoms, &PicturedAtom::impossible);
}

PlanePoint MoleculePicture::extent() const {
  const Bounds bounds = bounds_of(atoms);
  return {bounds.high.x - bounds.low.x + 2 * around, bounds.high.y - bounds.low.y + 2 * around};
}

MoleculePicture picture_of(const Molecule& molecule, const AtomTypes& types) {
  CompoundGraph graph;
  const AtomType none{.element = "*"};
  for (const std::uint8_t atom : molecule.atoms)
    graph.atoms.push_back(atom < types.size() ? types[atom] : none);
  for (const std::uint8_t order : molecule.bonds)
    graph.bonds.push_back(order < bond_kinds ? order : std::uint8_t{0});
  const std::vector<DrawnAtom> drawn = chemistry().drawn_atoms(graph, charge_rule(types));
  MoleculePicture picture{.bonds = molecule.bonds};
  for (std::size_t i = 0; i < drawn.size(); ++i)
    picture.atoms.push_back({.place = drawn[i].place,
                             .element = graph.atoms[i].element,
                             .charge = drawn[i].charge,
                             .hydrogens = drawn[i].hydrogens,
                             .known = molecule.atoms[i] < types.size(),
                             .impossible = drawn[i].impossible});
  return picture;
}

void draw_molecule(Svg& svg, const SvgBox& box, const MoleculePicture& picture,
                   const MoleculeLook& look) {
  const PlanePoint extent = picture.extent();
  const Bounds bounds = bounds_of(picture.atoms);
  const double bond = std::min({look.bond, box.width / extent.x, box.height / extent.y});
  const PlanePoint middle = {(bounds.low.x + bounds.high.x) / 2,
                             (bounds.low.y + bounds.high.y) / 2};
  Drawing(svg, picture, look,
          {.bond = bond,
           .x = box.x + box.width / 2 - bond * middle.x,
           .y = box.y + box.height / 2 + bond * middle.y})
      .draw();
}

}  // namespace logpx::draw
