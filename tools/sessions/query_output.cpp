#include "tools/sessions/query_output.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/file/suffix.hpp"
#include "formats/json/fields_json.hpp"
#include "formats/samples_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/row_values.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/query_places.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace logpx {
namespace {

// Formats of a query's answer; streams take the first one.
std::vector<std::string> formats_of(const Query& query) {
  if (query.name == "export") return {"json", "dot"};
  if (query.name == "impute") return {"csv"};
  std::vector<std::string> formats = {"csv", "jsonl", "txt"};
  if (query.fills) formats.emplace_back("h5");
  return formats;
}

// A cell as its column writes it; in tables of older files a number, or the word of a category.
std::string filled_cell(const OpenQuery& open, std::int64_t place, double x) {
  if (!open.info().column_forms.empty()) return ColumnCells(open.info()).text(place, x);
  const bool category = !open.queries().is_real(place) && x == std::floor(x);
  if (!category) return to_text(static_cast<float>(x));
  const Json name = category_name(open.info(), place, static_cast<std::int64_t>(x));
  return name.is_string() ? name.string() : name.dump(-1);
}

// A row that could not be filled stays as it was.
std::vector<std::string> unfilled_cells(const OpenQuery& open, std::int64_t row) {
  const DatasetInfo& info = open.info();
  std::vector<std::string> cells;
  for (const float value : stored_values(info, open.rows->read(row, row + 1))) {
    const bool missing = std::isnan(value) || (info.element != Element::f32 && value == -1);
    cells.push_back(missing ? ""
                            : filled_cell(open, std::ssize(cells), static_cast<double>(value)));
  }
  return cells;
}

// Writes a filled table that came from a dataset.
std::string table_text(const OpenQuery& open, const Answer& answer, std::size_t draw) {
  const DatasetInfo& info = open.info();
  std::string text = join_list(draw::column_names(info)) + '\n';
  for (std::size_t i = 0; i < answer.filled.size(); ++i) {
    const auto& draws = answer.filled[i];
    std::vector<std::string> cells;
    if (draws.empty()) cells = unfilled_cells(open, open.begin + static_cast<std::int64_t>(i));
    else
      for (std::int64_t v = 0; v < info.dims(); ++v)
        cells.push_back(filled_cell(open, v, draws[draw][at(v)]));
    text += join_list(cells) + '\n';
  }
  return text;
}

std::string imputed_text(const OpenQuery& open, const Answer& answer, std::size_t draw) {
  if (open.columns == nullptr) return table_text(open, answer, draw);
  return open.columns->filled([&](std::int64_t row, std::int64_t column) -> std::string {
    if (row < open.begin || row >= open.end) return "";
    const auto& draws = answer.filled[at(row - open.begin)];
    return draws.empty() ? "" : filled_cell(open, column, draws[draw][at(column)]);
  });
}

void write_text(App& app, const std::string& path, const std::string& format,
                const std::string& text) {
  FileRecord record{.role = "answer", .path = path, .kind = format, .bytes = text.size()};
  if (path == "-") {
    app.print(text);  // its reader may stop early
  } else {
    OutputFile out(path, app.overwrite());
    write_text_file(out, text);
    out.commit();
  }
  app.add_output(std::move(record));
}

void write_samples(App& app, const std::string& path, const OpenQuery& open, Answer& answer) {
  OutputFile out(path, app.overwrite());
  MemoryRows& rows = *answer.rows;
  SamplesWriter writer(out, rows.info());
  writer.append(rows.read(0, rows.info().n));
  FileRecord record{.role = "answer", .path = path, .kind = "samples"};
  record.content_hash = writer.finish(rows.info(),
                                      {.family = open.family,
                                       .model_hash = open.model_hash,
                                       .seed = app.rng().seed(),
                                       .sampler = settings_json(app.fields())},
                                      {}, app.provenance());
  out.commit();
  record.bytes = out.bytes();
  app.add_output(std::move(record));
}

}  // namespace

std::vector<std::string> numbered_names(const std::string& path, std::int64_t count) {
  if (count == 1) return {path};
  const std::filesystem::path whole = path;
  std::vector<std::string> names;
  for (std::int64_t i = 1; i <= count; ++i) {
    std::filesystem::path name = whole;
    name.replace_filename(whole.stem().string() + '.' + std::to_string(i) +
                          whole.extension().string());
    names.push_back(name.string());
  }
  return names;
}

void QueryOutput::describe(Fields& f) {
  describe_output(f, path, "write the answer: .csv, .jsonl, .txt, rows also .h5",
                  {{"csv", "jsonl", "txt", "h5", "json", "dot"}, "format"});
  f.add_word("format", format,
             {{"auto", "by the name of -o"},
              {"csv", "a table of answers"},
              {"jsonl", "a JSON object per answer"},
              {"text", "filled texts, a line each"},
              {"h5", "filled rows, as a dataset"},
              {"json", "the circuit, as a file"},
              {"dot", "the circuit, as a drawing for Graphviz"}},
             "of -o; auto: by its name")
      .rank(Rank::manual);
}

std::string QueryOutput::format_of(const QuestionOptions& question) const {
  const std::vector<std::string> formats = formats_of(find_query(question.query));
  const FormatChoice choice{
      .formats = formats, .option = "--format", .wanted = promised_format("as." + format)};
  if (!choice.wanted.empty() && std::ranges::find(formats, choice.wanted) == formats.end())
    fail(ErrorKind::usage, "--format",
         "is " + format + ", and --query " + question.query + " is written as " +
             join_text(formats, ", "),
         "--format " + formats[0]);
  return format_for(path, choice);
}

void QueryOutput::check(const App& app, const QuestionOptions& question) const {
  const bool needs_file = question.query == "export" || question.query == "impute";
  if (path.empty()) {
    if (needs_file)
      fail(ErrorKind::usage, "--output",
           "is where --query " + question.query + " writes, and missing",
           question.query == "export" ? "-o circuit.json" : "-o filled.csv");
    return;
  }
  if (format_of(question) == "h5" && !question.keep.empty())
    fail(ErrorKind::usage, "--keep", "is copied into text, and samples hold rows alone",
         "--format csv");
  if (question.files == 1) return;
  if (is_stream(path))
    fail(ErrorKind::usage, "--draws", "makes several files, and -o is one stream");
  for (const std::string& name : numbered_names(path, question.files))
    OutputFile::check_target(name, app.overwrite());
}

void QueryOutput::write(App& app, const OpenQuery& open, const QuestionOptions& question,
                        Answer& answer) const {
  if (path.empty()) return;
  const std::string written = format_of(question);
  if (question.query == "export") {
    app.print("");  // the file is the whole answer; --json reports beside it
    return write_text(app, path, written,
                      open.queries().text(written == "dot" ? ModelText::dot : ModelText::json));
  }
  if (question.query == "impute") {
    const std::vector<std::string> names = numbered_names(path, question.files);
    for (std::size_t draw = 0; draw < names.size(); ++draw)
      write_text(app, names[draw], written, imputed_text(open, answer, draw));
    return;
  }
  if (written == "h5") return write_samples(app, path, open, answer);
  const TableForm form = written == "csv"     ? TableForm::csv
                         : written == "jsonl" ? TableForm::json_lines
                                              : TableForm::aligned;
  write_text(app, path, written, answer.table.text(form));
}

}  // namespace logpx
