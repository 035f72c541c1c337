#include "formats/draw/molecule_sheet.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::draw {
namespace {

constexpr double sheet_bond = 24, sheet_margin = 12, sheet_gap = 10, caption_height = 16;
constexpr double narrowest = 80, widest = 260, lowest = 60, highest = 220;

// Room for all, unless few are much larger than the rest: those are drawn smaller.
double room(std::vector<double> lengths, double least, double most) {
  if (lengths.empty()) return least;
  std::ranges::sort(lengths);
  const std::size_t place = (lengths.size() - 1) * 9 / 10;
  const double length = std::min(lengths.back(), 1.25 * lengths[place]);
  return std::clamp(std::ceil(sheet_bond * length), least, most);
}

}  // namespace

DrawnSheet sheet_of_molecules(const std::vector<MoleculePicture>& molecules,
                              const MoleculeSheet& sheet) {
  std::vector<double> across, down;
  for (const MoleculePicture& molecule : molecules) {
    across.push_back(molecule.extent().x);
    down.push_back(molecule.extent().y);
  }
  const double width = room(across, narrowest, widest), height = room(down, lowest, highest),
               below = sheet.captions.empty() ? 0 : caption_height;
  const auto count = static_cast<double>(molecules.size());
  const int columns =
      sheet.columns > 0
          ? sheet.columns
          : std::max(1, static_cast<int>(std::ceil(std::sqrt(
                            1.25 * count * (height + below + sheet_gap) / (width + sheet_gap)))));
  const int needed = static_cast<int>((std::ssize(molecules) + columns - 1) / columns);
  const int rows = sheet.rows > 0 ? sheet.rows : std::max(needed, 1);
  DrawnSheet drawn{.width = 2 * sheet_margin + columns * (width + sheet_gap) - sheet_gap,
                   .height = 2 * sheet_margin + rows * (height + below + sheet_gap) - sheet_gap};
  Svg svg(drawn.width, drawn.height);
  for (std::int64_t i = 0; i < std::min<std::int64_t>(std::ssize(molecules), columns * rows); ++i) {
    const SvgBox box = {
        sheet_margin + static_cast<double>(i % columns) * (width + sheet_gap),
        sheet_margin + static_cast<double>(i / columns) * (height + below + sheet_gap), width,
        height};
    draw_molecule(svg, box, molecules[at(i)], {.bond = sheet_bond});
    if (!sheet.captions.empty())
      svg.text({box.x + width / 2, box.y + height + 12}, sheet.captions[at(i)],
               {.size = 11, .colour = "#333333", .anchor = Anchor::middle});
    ++drawn.drawn;
    drawn.impossible += molecules[at(i)].is_impossible();
  }
  drawn.svg = svg.finish(counted(drawn.drawn, "molecule"));
  return drawn;
}

}  // namespace logpx::draw
