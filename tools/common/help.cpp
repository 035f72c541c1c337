#include "tools/common/help.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t widest_left = 28;

struct Row {
  std::string left, right;
};

std::string left_of(const Field& field) {
  if (field.is_positional()) return field.metavar() + (field.repeats() ? "..." : "");
  std::string text =
      field.short_name() != 0 ? std::string("-") + field.short_name() + ", " : std::string();
  text += field.on_by_default() ? "--[no-]" + field.option().substr(2) : field.option();
  if (field.type() != FieldType::flag) text += ' ' + field.metavar();
  return text;
}

std::string right_of(const Field& field) {
  std::string text = field.help();
  if (!field.words().empty()) text += ": " + join_text(field.words(), ", ");
  if (field.is_required() && !field.is_positional()) text += " (required)";
  if (const std::string fallback = field.default_text(); !fallback.empty())
    text += " [" + fallback + ']';
  return text;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (const std::string& word : split_text(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::string table(const std::vector<Row>& rows, std::size_t left_width) {
  std::string text;
  const std::string margin(left_width + 4, ' ');
  for (const Row& row : rows) {
    std::string line = "  " + row.left;
    if (row.left.size() > left_width) {
      text += line + '\n';
      line = margin;
    } else {
      line.resize(margin.size(), ' ');
    }
    for (const std::string& part : wrapped(row.right, columns - margin.size())) {
      text += line + part + '\n';
      line = margin;
    }
  }
  return text;
}

// The common options in as few lines as they need: their meaning is in logpx(7).
std::string common_lines(const ToolSpec& spec, const Fields& fields) {
  std::string text = "common: (see logpx(7))\n", line = " ";
  for (const Field& field : fields.all()) {
    if (field.group() != "common" || field.rank() != Rank::shown) continue;
    const std::string item = ' ' + left_of(field) + ' ';
    if (line.size() + item.size() > columns) {
      text += line + '\n';
      line = " ";
    }
    line += item;
  }
  text += line + '\n';
  if (!spec.without_effect.empty())
    text += "  (without effect here: --" + join_text(spec.without_effect, ", --") + ")\n";
  return text;
}

std::vector<std::string> groups_of(const Fields& fields) {
  std::vector<std::string> groups;
  for (const Field& field : fields.all())
    if (std::find(groups.begin(), groups.end(), field.group()) == groups.end())
      groups.push_back(field.group());
  return groups;
}

}  // namespace

std::string short_usage(const ToolSpec& spec) {
  return spec.name + " - " + spec.purpose + "\nusage: " + spec.name + ' ' + spec.usage.front() +
         "\ntry '" + spec.name + " --help'\n";
}

std::string help_text(const ToolSpec& spec, const Fields& fields) {
  std::string text = spec.name + " - " + spec.purpose + "\n\n";
  for (std::size_t i = 0; i < spec.usage.size(); ++i)
    text += (i == 0 ? "usage: " : "       ") + spec.name + ' ' + spec.usage[i] + '\n';

  std::size_t left_width = 0;
  for (const Field& field : fields.all())
    if (field.rank() == Rank::shown && field.group() != "common")
      left_width = std::max(left_width, std::min(left_of(field).size(), widest_left));
  std::vector<Row> positionals;
  for (const Field& field : fields.all())
    if (field.is_positional()) positionals.push_back({left_of(field), right_of(field)});
  if (!positionals.empty()) text += '\n' + table(positionals, left_width);

  text += '\n';
  for (const std::string& group : groups_of(fields)) {
    std::vector<Row> rows;
    for (const Field& field : fields.all())
      if (field.group() == group && field.rank() == Rank::shown && !field.is_positional())
        rows.push_back({left_of(field), right_of(field)});
    if (group != "common" && !rows.empty()) text += group + ":\n" + table(rows, left_width);
  }
  text += common_lines(spec, fields);

  text += "\nexamples:\n";
  std::size_t widest = 0;
  for (const Example& example : spec.examples) widest = std::max(widest, example.command.size());
  for (const Example& example : spec.examples) {
    const bool fits = widest + example.says.size() + 6 <= columns;
    text += "  " + example.command;
    if (fits) text += std::string(widest - example.command.size() + 3, ' ') + example.says;
    text += '\n';
  }
  return text +
         "\nexit status: 0 done, 1 failed, 2 usage, 3 data, 4 numeric, 5 refused"
         "   manual: man " +
         spec.name + '\n';
}

}  // namespace logpx
