#include "tools/frame/help.hpp"

#include "libcore/base/number_text.hpp"
#include "tools/frame/report_table.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::size_t widest_left = 20, least_text = 16;

struct HelpRow {
  std::string left, right;
  std::vector<Choice> choices = {};  // told one by one, below
};

std::string left_of(const Field& field) {
  if (field.is_positional()) return field.metavar() + (field.repeats() ? "..." : "");
  if (field.rank() == Rank::set_only) return "--set " + field.key() + '=' + field.metavar();
  std::string text =
      field.short_name() != 0 ? std::string("-") + field.short_name() + ", " : std::string();
  text += field.has_negation() ? "--[no-]" + field.option().substr(2) : field.option();
  if (field.type() != FieldType::flag) text += ' ' + field.metavar();
  return text;
}

std::string right_of(const Field& field, const std::string& words, const std::string& with) {
  std::string text = field.help();
  if (!words.empty()) text += ": " + words;
  if (!with.empty()) text += " (" + with + ')';
  if (field.is_required() && !field.is_positional()) text += " (required)";
  if (const std::string fallback = field.default_text(); !fallback.empty())
    text += " [" + fallback + ']';
  return text;
}

std::vector<std::string> groups_of(const Fields& fields) {
  std::vector<std::string> groups;
  for (const Field& field : fields.all())
    if (std::find(groups.begin(), groups.end(), field.group()) == groups.end())
      groups.push_back(field.group());
  return groups;
}

// Lays out texts in the available columns.
class HelpPage {
 public:
  HelpPage(const ToolSpec& spec, const Fields& fields, HelpExtent extent, std::size_t columns)
      : spec_(spec), fields_(fields), extent_(extent), columns_(columns) {
    for (const Field& field : fields_.all())
      if (is_shown(field) && !in_few_lines(field))
        left_width_ = std::max(left_width_, std::min(left_of(field).size(), widest_left));
  }

  std::string text() const {
    return usage() + operands() + groups() + common() + examples() + last_lines();
  }

 private:
  bool is_shown(const Field& field) const {
    return field.is_positional() || extent_ == HelpExtent::everything ||
           field.rank() == Rank::shown;
  }

  // The common options in as few lines as they need: their meaning is in logpx(7).
  bool in_few_lines(const Field& field) const {
    return extent_ == HelpExtent::usual && field.group() == "common";
  }

  std::string filled(const std::string& margin, const std::string& text) const {
    std::string lines;
    const std::size_t room = std::max(columns_, margin.size() + least_text) - margin.size();
    for (const std::string& part : wrapped(text, room)) lines += margin + part + '\n';
    return lines;
  }

  // Where everything is told, also what the words of a choice mean (but those of the common
  // options are plain), and what the option goes with.
  HelpRow row_of(const Field& field) const {
    const std::string left = left_of(field), words = join_text(field.words(), ", ");
    if (extent_ == HelpExtent::usual) return {.left = left, .right = right_of(field, words, "")};
    if (field.group() == "common")
      return {.left = left, .right = right_of(field, words, field.goes_with())};
    return {
        .left = left, .right = right_of(field, "", field.goes_with()), .choices = field.choices()};
  }

  std::string told(const std::vector<Choice>& choices) const {
    std::size_t widest = 0;
    for (const Choice& choice : choices) widest = std::max(widest, choice.word.size());
    const std::string margin(left_width_ + widest + 8, ' ');
    std::string text;
    for (const Choice& choice : choices) {
      const std::string left = std::string(left_width_ + 6, ' ') + choice.word;
      text += filled(margin, choice.says).replace(0, left.size(), left);
    }
    return text;
  }

  std::string table(const std::vector<HelpRow>& rows) const {
    std::string text;
    const std::string margin(left_width_ + 4, ' ');
    for (const HelpRow& row : rows) {
      const std::string left = "  " + row.left;
      std::string right = filled(margin, row.right);
      if (row.left.size() > left_width_) text += left + '\n' + right;
      else text += right.replace(0, left.size(), left);
      text += told(row.choices);
    }
    return text;
  }

  // Items side by side, in lines that fit.
  std::string side_by_side(const std::vector<std::string>& items) const {
    std::string text, line = " ";
    for (const std::string& item : items) {
      if (line.size() + item.size() + 2 > columns_) {
        text += line + '\n';
        line = " ";
      }
      line += (line.size() > 1 ? "  " : " ") + item;
    }
    return text + line + '\n';
  }

  std::string usage() const {
    std::string text = filled("", spec_.name + " - " + spec_.purpose) + '\n';
    for (std::size_t i = 0; i < spec_.usage.size(); ++i)
      text += (i == 0 ? "usage: " : "       ") + spec_.name + ' ' + spec_.usage[i] + '\n';
    return text + '\n';
  }

  std::string operands() const {
    std::vector<HelpRow> rows;
    for (const Field& field : fields_.all())
      if (field.is_positional()) rows.push_back(row_of(field));
    return rows.empty() ? "" : table(rows) + '\n';
  }

  std::string groups() const {
    std::string text;
    for (const std::string& group : groups_of(fields_)) {
      std::vector<HelpRow> rows;
      for (const Field& field : fields_.all())
        if (field.group() == group && is_shown(field) && !field.is_positional() &&
            !in_few_lines(field))
          rows.push_back(row_of(field));
      if (!rows.empty()) text += group + ":\n" + table(rows);
    }
    return text;
  }

  std::string common() const {
    std::string text;
    if (extent_ == HelpExtent::usual) {
      std::vector<std::string> items = {"common:"};
      for (const Field& field : fields_.all())
        if (in_few_lines(field) && field.rank() == Rank::shown) items.push_back(left_of(field));
      text += side_by_side(items).substr(2);
    }
    if (!spec_.without_effect.empty())
      text += filled("  ", "without effect here: --" + join_text(spec_.without_effect, ", --"));
    return text;
  }

  std::string examples() const {
    std::string text = "\nexamples:\n";
    std::size_t widest = 0;
    for (const Example& example : spec_.examples)
      if (example.command.size() + example.says.size() + 5 <= columns_)
        widest = std::max(widest, example.command.size());
    for (const Example& example : spec_.examples) {
      text += "  " + example.command;
      if (std::max(widest, example.command.size()) + example.says.size() + 5 <= columns_)
        text += std::string(widest - std::min(widest, example.command.size()) + 3, ' ') +
                example.says + '\n';
      else text += '\n' + filled("      ", example.says);
    }
    return text;
  }

  std::string last_lines() const {
    const std::string all = "all options: " + spec_.name + " --help-all";
    return '\n' +
           side_by_side({extent_ == HelpExtent::usual ? all : "options used most: --help",
                         "manual: man " + spec_.name, "common: logpx(7)"}) +
           filled("  ", "exit status: 0 done, 1 failed, 2 usage, 3 data, 4 numeric, 5 refused");
  }

  const ToolSpec& spec_;
  const Fields& fields_;
  HelpExtent extent_;
  std::size_t columns_, left_width_ = 0;
};

}  // namespace

std::string short_usage(const ToolSpec& spec) {
  return spec.name + " - " + spec.purpose + "\nusage: " + spec.name + ' ' + spec.usage.front() +
         "\ntry '" + spec.name + " --help'\n";
}

std::string help_text(const ToolSpec& spec, const Fields& fields, HelpExtent extent,
                      std::size_t columns) {
  return HelpPage(spec, fields, extent, std::max(columns, least_columns)).text();
}

std::string where_options_stand(const std::string& tool) {
  return tool + " --help-all lists all options";
}

}  // namespace logpx
