#include "formats/draw/molecule_path.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace logpx::draw {
namespace {

constexpr double strip_margin = 14, header_height = 26, strip_row_height = 132, between = 22;
constexpr double told_width = 104, graph_width = 158, bars_width = 196, values_width = 148;
constexpr std::string_view plain_ink = "#30638e", chosen_ink = "#d55e00", axis_ink = "#8a8a8a",
                           words_ink = "#333333";
constexpr double small_text = 10, text_size = 12;

// Bars from a common ground, the chosen one in another colour.
struct Bars {
  std::span<const float> heights;
  double most = 1;  // what reaches the top
  std::int64_t chosen = -1;
  std::string top = {};  // what the top stands for
};

struct Plot {
  SvgBox box;  // of the bars alone
  [[nodiscard]] double ground() const { return box.y + box.height; }
};

Plot plot_in(const SvgBox& cell) {
  return {{cell.x, cell.y + 16, cell.width, cell.height - 16 - 22}};
}

void draw_bars(Svg& svg, const Plot& plot, const Bars& bars) {
  const SvgBox& box = plot.box;
  const auto count = static_cast<double>(bars.heights.size());
  const double slot = box.width / count, gap = slot > 4 ? 0.2 * slot : 0;
  svg.line({box.x, box.y}, {box.x + box.width, box.y},
           {.colour = axis_ink, .width = 0.6, .dash = "2 3"});
  svg.text({box.x, box.y - 4}, bars.top, {.size = small_text, .colour = words_ink});
  for (std::size_t i = 0; i < bars.heights.size(); ++i) {
    const double share = std::min(static_cast<double>(bars.heights[i]) / bars.most, 1.0);
    if (!(share > 0)) continue;
    const bool chosen = static_cast<std::int64_t>(i) == bars.chosen;
    const double height = std::max(share * box.height, 0.6);
    svg.filled({box.x + static_cast<double>(i) * slot + gap / 2, plot.ground() - height, slot - gap,
                height},
               chosen ? chosen_ink : plain_ink);
  }
  svg.line({box.x, plot.ground()}, {box.x + box.width, plot.ground()},
           {.colour = axis_ink, .width = 1});
}

// A wedge under the chosen bar, which may be too low to be seen.
void point_at(Svg& svg, const Plot& plot, std::int64_t bar, std::size_t count) {
  const double x =
      plot.box.x + plot.box.width * (static_cast<double>(bar) + 0.5) / static_cast<double>(count);
  svg.line({x, plot.ground() + 2}, {x, plot.ground() + 7}, {.colour = chosen_ink, .width = 2});
}

// Where atoms end and pairs begin.
void name_parts(Svg& svg, const Plot& plot, std::int64_t atoms, std::size_t parts) {
  const double share = static_cast<double>(atoms) / static_cast<double>(parts);
  const double x = plot.box.x + share * plot.box.width, y = plot.ground();
  const TextLook look = {.size = small_text, .colour = words_ink, .anchor = Anchor::middle};
  if (parts > at(atoms)) svg.line({x, y}, {x, y + 10}, {.colour = axis_ink, .width = 1});
  svg.text({(plot.box.x + x) / 2, y + 19}, "atoms", look);
  if (parts > at(atoms)) svg.text({(x + plot.box.x + plot.box.width) / 2, y + 19}, "pairs", look);
}

const std::array<std::string, 4>& bond_words() {
  static const std::array<std::string, 4> names = {"none", "single", "double", "triple"};
  return names;
}

class Strip {
 public:
  Strip(const MoleculePath& path, Svg& svg)
      : path_(path), svg_(svg), whole_(picture_of(path.molecule, path.types)) {
    for (const PathStep& step : path.steps)
      for (const float nats : step.entropies)
        most_nats_ = std::max(most_nats_, static_cast<double>(nats));
  }

  void draw_headers() {
    const std::array<const char*, 5> names = {"before", "after", "policy, of every part",
                                              "entropy of its value", "the chosen part"};
    for (std::size_t column = 0; column < names.size(); ++column) {
      const SvgBox cell = cell_of(0, column);
      svg_.text({cell.x + cell.width / 2, strip_margin + text_size}, names[column],
                {.size = text_size, .anchor = Anchor::middle, .weight = Weight::bold});
    }
  }

  void draw(std::size_t row) {
    const PathStep& step = path_.steps[row];
    const std::int32_t chosen = path_.order[at(step.number - 1)];
    if (row > 0)
      svg_.line({strip_margin, top_of(row) - between / 2},
                {width() - strip_margin, top_of(row) - between / 2},
                {.colour = "#d8d8d8", .width = 0.8});
    tell(row, step, chosen);
    for (std::size_t after = 0; after < 2; ++after) {
      const MoleculePicture known = known_after(step.number - 1 + static_cast<std::int64_t>(after));
      draw_molecule(svg_, cell_of(row, after), known,
                    {.bond = 26, .letters = Letters::all, .marked = after == 1 ? chosen : -1});
    }
    draw_parts(cell_of(row, 2), step.policy, chosen, top_of_policy(step));
    draw_parts(cell_of(row, 3), step.entropies, chosen,
               {most_nats_, fmt::format("{:.2f} nats", most_nats_)});
    draw_values(cell_of(row, 4), step, chosen);
  }

  static double width() {
    return 2 * strip_margin + told_width + 2 * graph_width + 2 * bars_width + values_width +
           5 * between;
  }
  static double height(std::size_t rows) {
    return 2 * strip_margin + header_height +
           static_cast<double>(rows) * (strip_row_height + between) - between;
  }

 private:
  static double top_of(std::size_t row) {
    return strip_margin + header_height + static_cast<double>(row) * (strip_row_height + between);
  }
  static SvgBox cell_of(std::size_t row, std::size_t column) {
    constexpr std::array<double, 5> widths = {graph_width, graph_width, bars_width, bars_width,
                                              values_width};
    double x = strip_margin + told_width + between;
    for (std::size_t i = 0; i < column; ++i) x += widths[i] + between;
    return {x, top_of(row), widths[column], strip_row_height};
  }

  // The graph of which so many steps are known.
  [[nodiscard]] MoleculePicture known_after(std::int64_t steps) const {
    MoleculePicture known = whole_;
    for (PicturedAtom& atom : known.atoms) atom.impossible = false;
    const std::int64_t atoms = std::ssize(known.atoms);
    for (const std::int32_t part : path_.order.subspan(at(steps))) {
      if (part < 0) break;
      if (part < atoms) known.atoms[at(part)].known = false;
      else known.bonds[at(part - atoms)] = unknown_part;
    }
    return known;
  }

  void tell(std::size_t row, const PathStep& step, std::int32_t chosen) {
    std::int64_t all = 0;
    while (all < std::ssize(path_.order) && path_.order[at(all)] >= 0) ++all;
    const double y = top_of(row) + strip_row_height / 2 - 16;
    svg_.text({strip_margin, y}, fmt::format("step {} of {}", step.number, all),
              {.size = text_size, .weight = Weight::bold});
    svg_.text({strip_margin, y + 18}, name_of(chosen), {.size = text_size, .colour = words_ink});
    svg_.text({strip_margin, y + 34}, value_name(chosen, value_of(chosen)),
              {.size = text_size, .colour = chosen_ink, .weight = Weight::bold});
  }

  [[nodiscard]] bool is_atom(std::int32_t part) const { return part < path_.molecule.size(); }
  [[nodiscard]] std::string name_of(std::int32_t part) const {
    if (is_atom(part)) return fmt::format("atom {}", part);
    std::int64_t dim = path_.molecule.size();
    for (std::int64_t i = 0; i < path_.molecule.size(); ++i)
      for (std::int64_t j = i + 1; j < path_.molecule.size(); ++j, ++dim)
        if (dim == part) return fmt::format("bond of {} and {}", i, j);
    return "";
  }
  [[nodiscard]] std::int64_t value_of(std::int32_t part) const {
    return is_atom(part) ? path_.molecule.atoms[at(part)]
                         : path_.molecule.bonds[at(part - path_.molecule.size())];
  }
  [[nodiscard]] std::string value_name(std::int32_t part, std::int64_t value) const {
    return is_atom(part)        ? path_.types.name(value)
           : value < bond_kinds ? bond_words()[at(value)]
                                : "?";
  }

  struct Top {
    double most = 1;
    std::string words;
  };
  static Top top_of_policy(const PathStep& step) {
    double most = 0;
    for (const float p : step.policy) most = std::max(most, static_cast<double>(p));
    return {std::max(most, 1e-12), fmt::format("{:.3g}", most)};
  }
  void draw_parts(const SvgBox& cell, std::span<const float> heights, std::int32_t chosen,
                  const Top& top) {
    const std::size_t parts = at(dims_of_atoms(path_.molecule.size()));
    const Plot plot = plot_in(cell);
    draw_bars(svg_, plot, {heights.first(parts), std::max(top.most, 1e-12), chosen, top.words});
    name_parts(svg_, plot, path_.molecule.size(), parts);
    point_at(svg_, plot, chosen, parts);
  }

  void draw_values(const SvgBox& cell, const PathStep& step, std::int32_t chosen) {
    const std::int64_t count = is_atom(chosen) ? path_.types.size() : bond_kinds;
    const Plot plot = plot_in(cell);
    const std::int64_t value = value_of(chosen);
    draw_bars(svg_, plot, {step.values.first(at(count)), 1, value, "1"});
    const double slot = plot.box.width / static_cast<double>(count);
    for (std::int64_t v = 0; v < count; ++v) {
      const double middle = plot.box.x + (static_cast<double>(v) + 0.5) * slot;
      const std::string_view colour = v == value ? chosen_ink : words_ink;
      svg_.text(
          {middle, plot.ground() + 13}, value_name(chosen, v),
          {.size = std::min(small_text, 0.9 * slot), .colour = colour, .anchor = Anchor::middle});
      const double p = static_cast<double>(step.values[at(v)]);
      if (v == value) draw_share(middle, plot, p);
    }
  }

  // Over the bar, or at its top where there is no room.
  void draw_share(double middle, const Plot& plot, double p) {
    const double top = plot.ground() - p * plot.box.height;
    const bool inside = top - plot.box.y < 13;
    svg_.text({middle, inside ? top + 12 : top - 3}, fmt::format("{:.2f}", p),
              {.size = small_text,
               .colour = inside ? "#ffffff" : chosen_ink,
               .anchor = Anchor::middle,
               .weight = Weight::bold});
  }

  const MoleculePath& path_;
  Svg& svg_;
  MoleculePicture whole_;
  double most_nats_ = 0;
};

}  // namespace

DrawnSheet path_of_molecule(const MoleculePath& path) {
  DrawnSheet drawn{.width = Strip::width(), .height = Strip::height(path.steps.size()), .drawn = 1};
  Svg svg(drawn.width, drawn.height);
  Strip strip(path, svg);
  strip.draw_headers();
  for (std::size_t row = 0; row < path.steps.size(); ++row) strip.draw(row);
  drawn.svg = svg.finish("how a molecule came about, " + counted(path.steps.size(), "step"));
  return drawn;
}

}  // namespace logpx::draw
