#include "tools/frame/cli.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "tools/frame/foreign_words.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

namespace logpx {
namespace {

std::string negated(const Field& field) { return "--no-" + field.option().substr(2); }

const Field* find_short(const Fields& fields, char letter) {
  for (const Field& field : fields.all())
    if (field.short_name() == letter) return &field;
  return nullptr;
}

struct Option {
  const Field* field = nullptr;  // null for the frame's own: --help, --version ...
  bool takes_value = false;
};

std::optional<Option> find_long(const Fields& fields, const std::string& name) {
  for (const FrameOption& own : frame_options)
    if (name == own.option) return Option{};
  for (const Field& field : fields.all())
    if (field.has_negation() && name == negated(field)) return Option{&field, false};
  if (const Field* field = fields.find_option(name))
    return Option{field, field->type() != FieldType::flag};
  return std::nullopt;
}

[[noreturn]] void unknown_option(const std::string& tool, const Fields& fields,
                                 const std::string& name) {
  if (const auto foreign = find_foreign(tool, name))
    fail(ErrorKind::usage, "",
         "unknown option " + name +
             (foreign->option.empty() ? "" : " (here it is " + foreign->option + ')'),
         foreign->says);
  std::vector<std::string> known;
  for (const FrameOption& own : frame_options) known.emplace_back(own.option);
  for (const Field& field : fields.all()) {
    if (field.is_positional()) continue;
    if (field.rank() != Rank::set_only) known.push_back(field.option());
    else if (field.option() == name)
      fail(ErrorKind::usage, "",
           "unknown option " + name + " (it is a setting: --set " + field.key() + "=VALUE)");
    if (field.has_negation()) known.push_back(negated(field));
  }
  fail(ErrorKind::usage, "", "unknown option " + name + did_you_mean(name, known),
       nearest(name, known) ? "" : where_options_stand(tool));
}

[[noreturn]] void needs_value(const std::string& option, const Field& field) {
  fail(ErrorKind::usage, option, "needs a value (" + field.metavar() + ")");
}

// CLI11 2.1.2 takes a misspelt --option for a missing file and lets an option swallow the next one,
// so every word is checked before CLI11 gets them.
class WordCheck {
 public:
  WordCheck(const std::string& tool, const Fields& fields, const std::vector<std::string>& words)
      : tool_(tool), fields_(fields), words_(words) {}

  Arguments run() {
    for (at_ = 0; at_ < words_.size() && words_[at_] != "--"; ++at_) {
      const std::string& word = words_[at_];
      if (word.starts_with("--")) long_option(word);
      else if (word.size() > 1 && word[0] == '-') short_options(word);
    }
    return std::move(found_);
  }

 private:
  void long_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto option = find_long(fields_, name);
    if (!option) unknown_option(tool_, fields_, name);
    if (name == "--help") found_.help = HelpExtent::usual;
    if (name == "--help-all") found_.help = HelpExtent::everything;
    if (name == "--version") found_.version = true;
    if (equals != std::string::npos && !option->takes_value)
      fail(ErrorKind::usage, name, "takes no value");
    if (equals == std::string::npos && option->takes_value) take_value(name, *option->field);
  }

  void short_options(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (word[i] == 'h') {
        found_.help = HelpExtent::usual;
        continue;
      }
      const Field* field = find_short(fields_, word[i]);
      if (field == nullptr) unknown_option(tool_, fields_, std::string("-") + word[i]);
      if (field->type() == FieldType::flag) continue;
      if (i + 1 == word.size()) take_value(std::string("-") + word[i], *field);
      return;  // the rest of the word is its value
    }
  }

  void take_value(const std::string& option, const Field& field) {
    if (at_ + 1 == words_.size()) needs_value(option, field);
    const std::string& next = words_[++at_];
    if (next == "--") needs_value(option, field);
    if (next.starts_with("--") && find_long(fields_, next.substr(0, next.find('='))))
      needs_value(option, field);
  }

  const std::string& tool_;
  const Fields& fields_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  Arguments found_;
};

std::string cli11_names(const Field& field) {
  if (field.is_positional()) return field.name();
  std::string names = field.option();
  if (field.short_name() != 0) names = std::string("-") + field.short_name() + ',' + names;
  if (field.has_negation()) names += ",!" + negated(field);
  return names;
}

CLI::Option* add_to(CLI::App& app, const Field& field) {
  if (field.type() == FieldType::flag) return app.add_flag(cli11_names(field));
  CLI::Option* option = app.add_option(cli11_names(field));
  option->type_size(1);
  if (field.is_positional())
    option->expected(1, field.repeats() ? -1 : 1)->allow_extra_args(field.repeats());
  else option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return option;
}

}  // namespace

Arguments parse_arguments(const std::string& tool, Fields& fields,
                          const std::vector<std::string>& words) {
  Arguments arguments = WordCheck(tool, fields, words).run();
  if (arguments.help || arguments.version) return arguments;

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::pair<Field*, CLI::Option*>> options;
  for (Field& field : fields.all())
    if (field.rank() != Rank::set_only) options.emplace_back(&field, add_to(app, field));
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    fail(ErrorKind::usage, "", error.what(), where_options_stand(tool));
  }
  for (const std::string& extra : app.remaining())
    if (extra != "--")
      fail(ErrorKind::usage, "", "unexpected argument '" + extra + "'", where_options_stand(tool));
  for (const auto& [field, option] : options)
    if (option->count() > 0) arguments.given.emplace_back(field, option->results());
  return arguments;
}

}  // namespace logpx
