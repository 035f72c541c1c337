// Draws reports and training histories: curves, bars and histograms, several runs over each other.
#include "formats/draw/gnuplot.hpp"
#include "formats/draw/report_chart.hpp"
#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"

#include <string>
#include <vector>

using namespace logpx;

namespace {

struct Options {
  std::vector<std::string> reports, labels, series;
  std::string output, x = "step", title, size;
  std::string format = "auto", y_range;
  bool log_x = false, log_y = false, mix_binarisation = false, mix_measures = false;

  void describe(Fields& f) {
    f.group("input");
    f.add("report-files", reports, "reports (JSON) or training histories (JSON lines); - is stdin")
        .positional()
        .required()
        .metavar("REPORT")
        .whole_items()
        .files("*.{json,jsonl}");
    f.add("series", series, "what to draw: series, keys of a history, quantities of the result")
        .metavar("NAME,NAME...")
        .shows_default("all curves, else all quantities");
    f.add("x", x, "key of a history along the x axis").metavar("KEY");
    describe_output(f, output, "where to write the chart", {{"svg", "png", "pdf", "gp"}, "format"})
        .required();
    f.add_word("format", format,
               {{"auto", "by the suffix"},
                {"svg", "for the web"},
                {"png", "pixels"},
                {"pdf", "for papers"},
                {"gp", "the gnuplot script that draws it"}},
               "kind of picture; gp is the gnuplot script")
        .shows_default("by suffix; svg for stdout");
    f.group("chart");
    f.add("label", labels, "names of the inputs in the legend, in their order")
        .metavar("A,B...")
        .shows_default("file names");
    f.add("title", title, "title").shows_default("tool and data");
    f.add("log-x", log_x, "logarithmic x axis");
    f.add("log-y", log_y, "logarithmic y axis");
    f.add("y-range", y_range, "part of the y axis; an end may be left out").metavar("LOW:HIGH");
    f.add("mix-binarisation", mix_binarisation,
          "draw results of data that were binarised in several ways");
    f.add("mix-measures", mix_measures, "draw probabilities and densities together");
    f.add("size", size, "pixels across and down").metavar("WxH").shows_default("800 wide");
  }
};

std::vector<draw::ChartInput> read_inputs(App& app, const Options& o) {
  if (!o.labels.empty() && o.labels.size() != o.reports.size())
    fail(ErrorKind::usage, "--label",
         std::to_string(o.labels.size()) + " names for " + std::to_string(o.reports.size()) +
             " inputs");
  std::vector<draw::ChartInput> inputs;
  for (const std::string& path : o.reports) {
    draw::ChartInput input =
        draw::parse_chart_input(read_text_file(path), path == "-" ? "stdin" : path);
    const bool report = !input.report.is_null();
    app.add_input({.role = "report", .path = path, .kind = report ? "report" : "history"});
    if (!o.labels.empty()) input.label = o.labels[inputs.size()];
    inputs.push_back(std::move(input));
  }
  return inputs;
}

draw::Chart chart_for(App& app, const Options& o, const std::vector<draw::ChartInput>& inputs) {
  const auto scale = [](bool log) { return log ? draw::AxisScale::log : draw::AxisScale::linear; };
  const draw::ChartRequest request = {.names = o.series,
                                      .x = o.x,
                                      .x_scale = scale(o.log_x),
                                      .y_scale = scale(o.log_y),
                                      .y_range = o.y_range,
                                      .mix_binarisation = o.mix_binarisation,
                                      .mix_measures = o.mix_measures};
  app.detail("there are " + join_text(draw::chart_names(inputs, request), ", "));
  draw::Chart chart = draw::chart_of(inputs, request);
  const bool curves = !chart.panels.front().curves.empty();
  if (!curves && (o.log_x || o.log_y || !o.y_range.empty()))
    fail(ErrorKind::usage,
         o.log_x   ? "--log-x"
         : o.log_y ? "--log-y"
                   : "--y-range",
         "does nothing here: bars begin at zero");
  if (!o.title.empty()) chart.title = o.title;
  if (const Json provenance = app.provenance(); provenance.find("command") != nullptr) {
    std::string line = "drawn by:";
    for (const Json& word : provenance.at("command").items()) line += ' ' + word.string();
    chart.sources.push_back(line);
  }
  if (o.size.empty()) return chart;
  const auto size = parse_extent(o.size);
  if (!size || size->width < 200 || size->height < 100 || size->width > 10000 ||
      size->height > 10000)
    fail(ErrorKind::usage, "--size", "'" + o.size + "' is not WxH between 200x100 and 10000x10000");
  chart.size = {static_cast<int>(size->width), static_cast<int>(size->height)};
  return chart;
}

draw::ChartFormat picture_of(const std::string& format) {
  if (format == "pdf") return draw::ChartFormat::pdf;
  return format == "png" ? draw::ChartFormat::png : draw::ChartFormat::svg;
}

void run(App& app, Options& o) {
  const draw::Chart chart = chart_for(app, o, read_inputs(app, o));
  const std::string format = app.format_of("output"), script = draw::gnuplot_script(chart);
  if (app.dry_run()) return app.say("would write " + o.output);

  OutputFile out(o.output, app.overwrite());
  if (format == "gp") {
    write_text_file(out, script);
  } else {
    const auto bytes = draw::draw_chart(chart, picture_of(format));
    write_all(out.descriptor(), std::as_bytes(std::span(bytes)), out.target());
  }
  out.commit();
  app.add_output({.role = "chart",
                  .path = o.output,
                  .kind = format == "gp" ? "gnuplot" : format,
                  .bytes = out.bytes()});
  std::size_t curves = 0, bars = 0;
  for (const draw::Panel& panel : chart.panels)
    curves += panel.curves.size(), bars += panel.bars.size();
  app.result().set("curves", std::uint64_t{curves}).set("bars", std::uint64_t{bars});
  app.say((curves > 0 ? counted(curves, "curve") : "") + (curves > 0 && bars > 0 ? ", " : "") +
          (bars > 0 ? counted(bars, "bar") : "") + " -> " + out.shown_name());
}

const ToolSpec spec = {
    .name = "plot-report",
    .purpose = "draw the curves and numbers of reports and training histories",
    .usage = {"REPORT... -o fig.svg|fig.png|fig.pdf|fig.gp [options]"},
    .examples = {{"plot-report a.json b.json -o compare.svg --label small,large",
                  "two results side by side"},
                 {"plot-report m.history.jsonl -o training.svg --log-x", "a training run"},
                 {"plot-report m.history.jsonl -o kl.png --series kl,recon", "other terms of it"},
                 {"plot-report a.json -o fig.gp", "the gnuplot script alone, to edit"}},
    .without_effect = {"seed", "threads", "memory"},
};

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
