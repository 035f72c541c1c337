#include "formats/draw/chart.hpp"

#include "formats/draw/panel_axes.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace logpx::draw {

namespace {

// Curves differ in dashes and points, on screens also in colour [Okabe and Ito's palette].
struct LineLook {
  const char* colour;
  const char* dash;
  int point;
};
constexpr std::array<LineLook, 8> line_looks = {{{"#0072b2", "solid", 7},
                                                 {"#d55e00", "(10,5)", 5},
                                                 {"#000000", "(3,4)", 9},
                                                 {"#009e73", "(14,4,3,4)", 13},
                                                 {"#cc79a7", "(10,4,3,4,3,4)", 6},
                                                 {"#56b4e9", "(20,5)", 4},
                                                 {"#e69f00", "(5,5)", 8},
                                                 {"#777777", "(2,3,8,3)", 12}}};
// Bars from dark to light: neighbours differ in grey too.
constexpr std::array<const char*, 6> bar_colours = {"#30638e", "#f0a04b", "#7fb7be",
                                                    "#b0413e", "#d8d8d8", "#5f6f52"};

constexpr int chosen_width = 800, title_row_height = 20, above_title = 16, curves_height = 340;
constexpr int bar_height = 26, bars_frame_height = 76, legend_row_height = 17;
constexpr int above_axis = 14, below_axis = 58;  // of a panel's height

// One line for a comment. A backslash at its end would swallow the next line.
std::string comment(const std::string& text) {
  std::string line = "# ";
  for (const char letter : text) line += static_cast<unsigned char>(letter) < 32 ? ' ' : letter;
  return line + " \n";
}

// Single quotes: nothing inside is expanded. Where one would end the text, double quotes with all
// that could be expanded as octal numbers: gnuplot reads ''' as two texts.
std::string in_quotes(std::string_view text) {
  const char quote = text.find('\'') == std::string_view::npos ? '\'' : '"';
  std::string result(1, quote);
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 32) result += ' ';
    else if (quote == '"' && std::string_view("\"\\`").find(letter) != std::string_view::npos)
      result += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                 static_cast<char>('0' + byte % 8)};
    else result += letter;
  }
  return result + quote;
}

// gnuplot takes the text of a tick for a format, so % is doubled.
std::string quoted_tick(const std::string& text) {
  std::string doubled;
  for (const char letter : text)
    doubled += letter == '%' ? std::string("%%") : std::string(1, letter);
  return in_quotes(doubled);
}

std::string number(double value) { return std::isfinite(value) ? to_text(value) : "NaN"; }

// How wide a text is, in letters; from U+3000 on letters are twice as wide as Latin ones.
int letters(const std::string& text) {
  int count = 0;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    count += (byte & 0xc0u) == 0x80u ? 0 : byte < 0xe3u ? 1 : 2;
  }
  return count;
}

std::vector<std::string> title_rows(const Chart& chart) { return split_text(chart.title, '\n'); }

int title_height(const Chart& chart) {
  return above_title + title_row_height * static_cast<int>(title_rows(chart).size());
}

std::vector<std::string> series_of(const std::vector<Bar>& bars) {
  std::vector<std::string> names;
  for (const Bar& bar : bars)
    if (std::find(names.begin(), names.end(), bar.series) == names.end())
      names.push_back(bar.series);
  return names;
}

bool has_legend(const Panel& panel) {
  if (!panel.bars.empty()) return series_of(panel.bars).size() > 1;
  return std::any_of(panel.curves.begin(), panel.curves.end(),
                     [](const Curve& curve) { return !curve.label.empty(); });
}

int longest_label(const Panel& panel) {
  int longest = 0;
  for (const Curve& curve : panel.curves) longest = std::max(longest, letters(curve.label));
  return longest;
}

// Long names stand one below the other.
int legend_rows(const Panel& panel, int width) {
  if (!has_legend(panel)) return 0;
  if (!panel.bars.empty()) return 1;
  const int fitting = std::max(1, (width - 118) / (letter_width * longest_label(panel) + 70));
  const auto count = static_cast<int>(panel.curves.size());
  return (count + fitting - 1) / fitting;
}

int legend_height(const Panel& panel, int width) {
  const int rows = legend_rows(panel, width);
  return rows == 0 ? 0 : rows * legend_row_height + 10;
}

int height_of(const Panel& panel, int width) {
  const int legend = legend_height(panel, width);
  if (panel.bars.empty()) return curves_height + legend;
  return bars_frame_height + bar_height * static_cast<int>(panel.bars.size()) + legend;
}

void check_panel(const Panel& panel) {
  for (const Curve& curve : panel.curves) {
    LOGPX_ASSERT(curve.x.size() == curve.y.size());
    LOGPX_ASSERT(curve.std_error.empty() || curve.std_error.size() == curve.y.size());
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      if (drawable(panel.x, curve.x[i]) && drawable(panel.y, curve.y[i])) return;
  }
  if (!panel.bars.empty()) return;
  const bool log = panel.x.scale == AxisScale::log || panel.y.scale == AxisScale::log;
  fail(ErrorKind::data, panel.curves.empty() ? "chart" : panel.curves.front().label,
       log ? "no point is positive, as a log axis needs" : "no point is finite");
}

std::string curve_data(const Panel& panel, const Curve& curve, const std::string& name) {
  std::string text = name + " << EOD\n";
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const bool shown = drawable(panel.x, curve.x[i]) && drawable(panel.y, curve.y[i]);
    text += number(shown ? curve.x[i] : NAN) + ' ' + number(shown ? curve.y[i] : NAN);
    if (!curve.std_error.empty()) text += ' ' + number(curve.std_error[i]);
    text += '\n';
  }
  return text + "EOD\n";
}

std::string curve_plot(const Curve& curve, const std::string& name, std::size_t index) {
  const LineLook& look = line_looks[index % line_looks.size()];
  const std::string ink = std::string(" lc rgb '") + look.colour + "' lw 2";
  // Points of a crowd are small.
  const bool crowd = curve.style == CurveStyle::points && curve.x.size() > 300;
  const std::string point = " pt " + std::to_string(look.point) + (crowd ? " ps 0.35" : " ps 0.8");
  const std::string title =
      curve.label.empty() ? std::string(" notitle") : " title " + in_quotes(curve.label);
  std::string text;
  if (!curve.std_error.empty())
    text = name + " using 1:2:3 with yerrorbars lc rgb '" + look.colour +
           "' lw 1 pt 0 notitle, \\\n     ";
  text += name + " using 1:2 with ";
  switch (curve.style) {
    case CurveStyle::points: return text + "points" + ink + point + title;
    case CurveStyle::histogram: return text + "histeps" + ink + " dt " + look.dash + title;
    case CurveStyle::line: break;
  }
  // About ten markers on a line, however many points it has.
  const std::string markers = curve.x.size() > 20 ? " pn 10" : "";
  return text + "linespoints" + ink + " dt " + look.dash + point + markers + title;
}

// The part of the picture that a panel has, in pixels from the top left.
struct Place {
  ChartSize picture;
  int top = 0, height = 0, left = 0, right = 0;  // left, right: what the axes leave free
  [[nodiscard]] std::string screen_y(int pixels) const {
    return "screen " + to_text(1.0 - static_cast<double>(pixels) / picture.height);
  }
  [[nodiscard]] std::string screen_x(int pixels) const {
    return "screen " + to_text(static_cast<double>(pixels) / picture.width);
  }
};

std::string legend_of(const Panel& panel, const Place& place) {
  const int rows = legend_rows(panel, place.picture.width);
  if (rows == 0) return "unset key\n";
  const auto count =
      static_cast<int>(panel.bars.empty() ? panel.curves.size() : series_of(panel.bars).size());
  return "set key at " + place.screen_x(place.left) + ", " +
         place.screen_y(place.top + place.height - 6) +
         " left bottom Left reverse horizontal samplen 3 maxcols " +
         std::to_string((count + rows - 1) / rows) + '\n';
}

std::string tick_list(const TickedAxis& axis) {
  std::string text;
  for (const Tick& tick : axis.ticks)
    text += (text.empty() ? "" : ", ") + in_quotes(tick.text) + ' ' + to_text(tick.at) +
            (tick.text.empty() ? " 1" : "");
  return text;
}

std::string axis_of(char letter, AxisScale scale, const TickedAxis& axis) {
  const std::string name(1, letter);
  return (scale == AxisScale::log ? "set logscale " : "unset logscale ") + name + "\nset " + name +
         "range [" + to_text(axis.low) + ':' + to_text(axis.high) + "] noreverse\nset " + name +
         "tics (" + tick_list(axis) + ") scale 1,0.5\n";
}

int plot_height(const Panel& panel, const Place& place) {
  return place.height - above_axis - below_axis - legend_height(panel, place.picture.width);
}

// The names of the axes are labels in fixed places: terminals would place axis titles differently.
std::string frame_of(const Panel& panel, const Place& place) {
  const int top = place.top + above_axis;
  const int bottom = top + plot_height(panel, place);
  const int right = place.picture.width - place.right;
  return "set lmargin at " + place.screen_x(place.left) + "\nset rmargin at " +
         place.screen_x(right) + "\nset tmargin at " + place.screen_y(top) + "\nset bmargin at " +
         place.screen_y(bottom) + '\n' +
         axis_of('x', panel.x.scale, axis_across(panel, right - place.left)) +
         legend_of(panel, place) + "set label " + in_quotes(panel.x.label) + " at " +
         place.screen_x((place.left + right) / 2) + ", " + place.screen_y(bottom + 46) +
         " center\nset label " + in_quotes(panel.y.label) + " at " + place.screen_x(14) + ", " +
         place.screen_y((top + bottom) / 2) + " center rotate by 90\n";
}

std::string curves_panel(const Panel& panel, const Place& place, const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < panel.curves.size(); ++i)
    text += curve_data(panel, panel.curves[i], name + '_' + std::to_string(i));
  text += frame_of(panel, place);
  text += axis_of('y', panel.y.scale, axis_up(panel, plot_height(panel, place)));
  text += "set grid xtics ytics\nplot ";
  for (std::size_t i = 0; i < panel.curves.size(); ++i)
    text += (i == 0 ? "" : ", \\\n     ") +
            curve_plot(panel.curves[i], name + '_' + std::to_string(i), i);
  return text + "\nunset label\n";
}

// Bar i is at height i; in a group of equal labels the middle one has the name.
std::string bar_ticks(const std::vector<Bar>& bars) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < bars.size(); first = last) {
    while (last < bars.size() && bars[last].label == bars[first].label) ++last;
    const double middle = (static_cast<double>(first) + static_cast<double>(last) - 1) / 2;
    text += (text.empty() ? "" : ", ") + quoted_tick(bars[first].label) + ' ' + to_text(middle);
  }
  return text;
}

std::string bars_data(const std::vector<Bar>& bars, const std::string& series) {
  std::string text;
  for (std::size_t i = 0; i < bars.size(); ++i)
    if (bars[i].series == series)
      text += std::to_string(i) + ' ' + number(bars[i].value) + ' ' +
              number(bars[i].std_error.value_or(0)) + '\n';
  return text;
}

std::string bars_panel(const Panel& panel, const Place& place, const std::string& name) {
  const std::vector<std::string> series = series_of(panel.bars);
  std::string text, plots;
  for (std::size_t k = 0; k < series.size(); ++k) {
    const std::string data = name + '_' + std::to_string(k);
    text += data + " << EOD\n" + bars_data(panel.bars, series[k]) + "EOD\n";
    plots += (k == 0 ? "" : ", \\\n     ") + data +
             " using 2:1:(0):2:($1-0.38):($1+0.38) with boxxyerror fs solid border lc rgb "
             "'#333333' fc rgb '" +
             bar_colours[k % bar_colours.size()] + "' title " + in_quotes(series[k]);
    plots += ", \\\n     " + data +
             " using ($3 > 0 ? $2 : NaN):1:3 with xerrorbars pt 0 lw 1.5 lc rgb '#000000' notitle";
  }
  text += frame_of(panel, place);
  for (std::size_t i = 0; i < panel.bars.size(); ++i)
    text += "set label " + in_quotes(panel.bars[i].text) + " at graph 1.01, first " +
            std::to_string(i) + " left\n";
  text += "unset logscale y\nset ytics (" + bar_ticks(panel.bars) + ") scale 0\nset yrange [" +
          to_text(static_cast<double>(panel.bars.size()) - 0.4) + ":-0.6]\n";
  text +=
      "set grid xtics noytics\nset arrow 1 from first 0, graph 0 to first 0, graph 1 nohead "
      "lc rgb '#333333'\nplot ";
  return text + plots + "\nunset label\nunset arrow\n";
}

// Points of a page are not pixels of a screen: a page has 96 pixels to the inch.
std::string terminals(ChartSize size) {
  const std::string across = std::to_string(size.width), down = std::to_string(size.height);
  return "if (!exists(\"picture\")) picture = 'svg'\n"
         "if (picture eq 'png') {\n"
         "  set terminal pngcairo noenhanced size " +
         across + ',' + down +
         " font 'sans-serif,10' background '#ffffff'\n  title_font = ',12'\n"
         "}\nif (picture eq 'pdf') {\n"
         "  set terminal pdfcairo noenhanced size " +
         across + "/96.0in," + down +
         "/96.0in font 'sans-serif,10' fontscale 0.75 linewidth 1.4 background '#ffffff'\n  "
         "title_font = ',12'\n"
         "}\nif (picture eq 'svg') {\n"
         "  set terminal svg noenhanced size " +
         across + ',' + down +
         " font 'sans-serif,13' background '#ffffff'\n  title_font = ',16'\n"
         "}\nif (exists(\"file\")) set output file\n";
}

constexpr int narrowest_left = 96, tick_gap = 44;  // besides the texts: ticks and the axis's name

// The axes of all panels begin at the same x: room for the longest tick of the curves ...
void leave_room_for_ticks(const Panel& panel, Place& place) {
  for (const Tick& tick : axis_up(panel, plot_height(panel, place)).ticks)
    place.left = std::max(place.left, tick_gap + letter_width * letters(tick.text));
}

// ... or for the longest name and the longest value of the bars.
void leave_room_for_names(const Chart& chart, Place& place) {
  int names = 0, values = 0;
  for (const Panel& panel : chart.panels)
    for (const Bar& bar : panel.bars) {
      names = std::max(names, letters(bar.label));
      values = std::max(values, letters(bar.text));
    }
  place.left = std::min(28 + letter_width * names, place.picture.width / 2);
  place.right = std::min(20 + letter_width * values, place.picture.width / 4);
}

std::string title_labels(const Chart& chart, const Place& whole) {
  std::string text;
  int middle = (above_title + title_row_height) * 3 / 5;
  for (const std::string& row : title_rows(chart)) {
    text += "set label " + in_quotes(row) + " at screen 0.5, " + whole.screen_y(middle) +
            " center font title_font\n";
    middle += title_row_height;
  }
  return text;
}

// Where each panel lies: below each other, as high as their contents ask for.
std::vector<Place> places_of(const Chart& chart, ChartSize size) {
  std::vector<Place> places;
  int natural = 0, top = title_height(chart), left = narrowest_left;
  for (const Panel& panel : chart.panels) natural += height_of(panel, size.width);
  for (const Panel& panel : chart.panels) {
    const int height = height_of(panel, size.width) * (size.height - title_height(chart)) / natural;
    Place& place = places.emplace_back(
        Place{.picture = size, .top = top, .height = height, .left = left, .right = 30});
    if (panel.bars.empty()) leave_room_for_ticks(panel, place), left = place.left;
    else leave_room_for_names(chart, place);
    top += height;
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    if (chart.panels[i].bars.empty()) places[i].left = left;
  return places;
}

}  // namespace

ChartSize size_of(const Chart& chart) {
  ChartSize size = chart.size;
  if (size.width == 0) size.width = chosen_width;
  if (size.height == 0) {
    size.height = title_height(chart);
    for (const Panel& panel : chart.panels) size.height += height_of(panel, size.width);
  }
  return size;
}

std::string gnuplot_script(const Chart& chart) {
  if (chart.panels.empty()) fail(ErrorKind::data, "chart", "there is nothing to draw");
  for (const Panel& panel : chart.panels) check_panel(panel);
  const ChartSize size = size_of(chart);
  std::string text = comment(chart.title);
  text += comment("draw it: gnuplot THIS > chart.svg");
  text += comment("     or: gnuplot -e 'picture=\"png\"' THIS > chart.png (or pdf)");
  for (const std::string& source : chart.sources) text += comment(source);
  text += terminals(size);
  text +=
      "set border 3 lc rgb '#333333'\nset tics nomirror out\n"
      "set grid lc rgb '#dddddd' lt 1 lw 1\nset multiplot\n";
  text += title_labels(chart, {.picture = size});
  const std::vector<Place> places = places_of(chart, size);
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const Panel& panel = chart.panels[i];
    const std::string name = "$panel" + std::to_string(i);
    text += panel.bars.empty() ? curves_panel(panel, places[i], name)
                               : bars_panel(panel, places[i], name);
  }
  return text + "unset multiplot\nunset output\n";
}

}  // namespace logpx::draw
