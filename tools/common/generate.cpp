// Manual options and completions, from the same fields that parse the command line.
#include "tools/common/help.hpp"

#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\'') out += "\\(aq";
    else out += c;
  }
  if (out.starts_with('.')) out.insert(0, "\\&");
  return out;
}

// Source lines of at most 78 bytes, broken at blanks: mandoc asks for it.
std::string filled(const std::string& text) {
  std::string out, line;
  for (const std::string& word : split_text(text, ' ')) {
    if (!line.empty() && line.size() + 1 + word.size() > 78) {
      out += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line + '\n';
}

bool is_option(const Field& field) {
  return !field.is_positional() && field.rank() != Rank::set_only;
}

std::vector<std::string> spellings(const Field& field) {
  std::vector<std::string> names;
  if (field.short_name() != 0) names.push_back(std::string("-") + field.short_name());
  names.push_back(field.option());
  if (field.on_by_default()) names.push_back("--no-" + field.option().substr(2));
  return names;
}

std::string range_text(const Field& field) {
  const auto limits = field.limits();
  if (!limits) return "";
  if (std::isinf(limits->second)) return "at least " + to_text(limits->first);
  return to_text(limits->first) + " to " + to_text(limits->second);
}

void check_described(const ToolSpec& spec, const Field& field) {
  const bool numeric = field.type() == FieldType::integer || field.type() == FieldType::real;
  if (field.help().empty() || (numeric && !field.limits()))
    fail(ErrorKind::io, spec.name,
         field.option() + " has no " + (field.help().empty() ? "help text" : "range") +
             " (a bug: say it in describe())");
}

std::string manual_entry(const Field& field) {
  std::string text = ".TP\n";
  std::vector<std::string> names;
  if (field.is_positional()) {
    names.push_back("\\fI" + roff(field.metavar()) + "\\fR" + (field.repeats() ? " ..." : ""));
  } else {
    for (const std::string& name : spellings(field)) names.push_back("\\fB" + roff(name) + "\\fR");
    if (field.type() != FieldType::flag) names.back() += " \\fI" + roff(field.metavar()) + "\\fR";
  }
  text += join_text(names, ", ") + '\n';
  std::string says = field.help();
  if (!field.words().empty()) says += ": " + join_text(field.words(), ", ");
  if (const std::string range = range_text(field); !range.empty()) says += "; " + range;
  if (field.is_required()) says += "; required";
  if (const std::string fallback = field.default_text(); !fallback.empty())
    says += "; default " + fallback;
  return text + filled(roff(says) + '.');
}

// One word for a shell: single quotes around, none inside.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

// "*.{h5,json}" means files that end with .h5 or .json; other patterns mean any file.
std::vector<std::string> suffixes(const Field& field) {
  std::string_view pattern = field.files();
  if (!pattern.starts_with("*.")) return {};
  pattern.remove_prefix(2);
  if (pattern.starts_with('{')) pattern = pattern.substr(1, pattern.size() - 2);
  return split_text(std::string(pattern), ',');
}

bool takes_files(const Field& field) { return field.is_output() || !field.files().empty(); }

std::string bash_words(const std::vector<std::string>& words) {
  return "compgen -W " + shell_quoted(join_text(words, " ")) + " -- \"$cur\"; ";
}

std::string bash_files(const Field& field) {
  const std::vector<std::string> wanted = suffixes(field);
  std::string text = wanted.empty() ? "compgen -f -- \"$cur\"; " : "compgen -d -- \"$cur\"; ";
  for (const std::string& suffix : wanted)
    text += "compgen -f -X " + shell_quoted("!*." + suffix) + " -- \"$cur\"; ";
  return text;
}

std::string zsh_files(const Field& field) {
  const std::vector<std::string> wanted = suffixes(field);
  return wanted.empty() ? "_files" : "_files -g \"*.(" + join_text(wanted, "|") + ")\"";
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && text.front() != '~' &&
                     text.find_first_of(" \t\n\"'\\$`!&;|<>()[]{}*?#") == std::string::npos;
  return plain ? text : shell_quoted(text);
}

namespace {

std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

std::string manual_options(const ToolSpec& spec, const Fields& fields) {
  std::string text, group;
  for (const Field& field : fields.all())
    if (field.is_positional()) text += manual_entry(field);
  for (const Field& field : fields.all()) {
    if (field.is_positional()) continue;
    check_described(spec, field);
    if (field.rank() == Rank::set_only) continue;
    if (field.group() != group) text += ".SS " + roff(group = field.group()) + '\n';
    text += manual_entry(field);
  }
  text += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint help and stop.\n";
  text += ".TP\n\\fB\\-\\-version\\fR\nPrint version, commit, compiler and libraries, and stop.\n";
  if (!spec.without_effect.empty())
    text += ".PP\n" + filled("Accepted, and without effect in this tool: \\fB\\-\\-" +
                             join_text(spec.without_effect, "\\fR, \\fB\\-\\-") + "\\fR.");
  return text;
}

std::string bash_completion(const ToolSpec& spec, const Fields& fields) {
  const auto reply = [](const std::string& commands) {
    return "mapfile -t COMPREPLY < <(" + commands.substr(0, commands.size() - 2) + ")";
  };
  std::vector<std::string> all = {"--help", "--version"};
  std::string cases, positionals;
  for (const Field& field : fields.all()) {
    const std::string candidates = !field.words().empty() ? bash_words(field.words())
                                   : takes_files(field)   ? bash_files(field)
                                                          : "";
    if (field.is_positional()) positionals += candidates;
    if (!is_option(field)) continue;
    const std::vector<std::string> names = spellings(field);
    all.insert(all.end(), names.begin(), names.end());
    if (field.type() == FieldType::flag) continue;
    cases += "    " + join_text(names, "|") + ") " +
             (candidates.empty() ? "" : reply(candidates) + "; ") + "return ;;\n";
  }
  const std::string name = "_logpx_" + identifier(spec.name);
  std::string text = "# bash completion for " + spec.name + "\n" + name + "() {\n";
  text += "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n";
  text += "  COMPREPLY=()\n  case $prev in\n" + cases + "  esac\n";
  text += "  if [[ $cur == -* ]]; then\n    " + reply(bash_words(all)) + "\n";
  if (!positionals.empty()) text += "  else\n    " + reply(positionals) + "\n";
  text += "  fi\n}\n";
  return text + "complete -o filenames -o bashdefault -o default -F " + name + ' ' + spec.name +
         '\n';
}

std::string zsh_completion(const ToolSpec& spec, const Fields& fields) {
  const auto escaped = [](const std::string& text) {
    std::string out;
    for (const char c : text)
      out += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
    return out;
  };
  const auto action = [&](const Field& field) -> std::string {
    if (!field.words().empty()) return ":(" + join_text(field.words(), " ") + ")";
    return takes_files(field) ? ':' + zsh_files(field) : ": ";
  };
  std::string text = "#compdef " + spec.name + "\n_arguments -s \\\n";
  text += "  '(-h --help)'{-h,--help}'[print help]' \\\n  '--version[print version]' \\\n";
  std::string last = "  '*:file:_files'\n";
  for (const Field& field : fields.all()) {
    if (field.is_positional() && takes_files(field))
      last = "  " + shell_quoted("*:file:" + zsh_files(field)) + '\n';
    if (field.is_positional() && !field.words().empty())
      text += "  '1:" + field.name() + ":(" + join_text(field.words(), " ") + ")' \\\n";
    if (!is_option(field)) continue;
    for (const std::string& name : spellings(field)) {
      std::string entry = "*" + name + '[' + escaped(field.help()) + ']';
      if (field.type() != FieldType::flag) entry += ':' + escaped(field.metavar()) + action(field);
      text += "  " + shell_quoted(entry) + " \\\n";
    }
  }
  return text + last;
}

std::string fish_completion(const ToolSpec& spec, const Fields& fields) {
  const std::string start = "complete -c " + spec.name;
  std::string text =
      start + " -s h -l help -d 'print help'\n" + start + " -l version -d 'print version'\n";
  for (const Field& field : fields.all()) {
    if (field.is_positional() && !field.words().empty())
      text += start + " -n '__fish_is_first_arg' -a " +
              shell_quoted(join_text(field.words(), " ")) + '\n';
    if (!is_option(field)) continue;
    std::string line = start;
    if (field.short_name() != 0) line += std::string(" -s ") + field.short_name();
    line += " -l " + field.option().substr(2) + " -d " + shell_quoted(field.help());
    if (field.type() != FieldType::flag) {
      line += takes_files(field) ? " -r" : " -x";
      if (!field.words().empty()) line += " -a " + shell_quoted(join_text(field.words(), " "));
    }
    text += line + '\n';
    if (field.on_by_default())
      text += start + " -l no-" + field.option().substr(2) + " -d 'switch it off'\n";
  }
  return text;
}

std::string describe_json(const ToolSpec& spec, const Fields& fields) {
  static constexpr const char* types[] = {"flag", "integer", "real", "text", "word", "list"};
  static constexpr const char* ranks[] = {"shown", "manual", "set_only"};
  Json options = Json::array();
  for (const Field& field : fields.all()) {
    Json option = Json::object();
    option.set("name", field.is_positional() ? field.metavar() : field.option());
    option.set("key", field.key());
    if (field.short_name() != 0) option.set("short", std::string("-") + field.short_name());
    option.set("type", types[static_cast<int>(field.type())]).set("help", field.help());
    option.set("group", field.group()).set("rank", ranks[static_cast<int>(field.rank())]);
    option.set("positional", field.is_positional()).set("required", field.is_required());
    option.set("changes_result", !field.is_external()).set("output", field.is_output());
    option.set("default", field.default_text());
    if (!field.formats().empty()) option.set("formats", Json::array_of(field.formats()));
    if (!field.words().empty()) option.set("words", Json::array_of(field.words()));
    if (const std::string range = range_text(field); !range.empty()) option.set("range", range);
    options.push(std::move(option));
  }
  Json examples = Json::array();
  for (const Example& example : spec.examples) examples.push(example.command);
  return Json::object()
             .set("tool", spec.name)
             .set("purpose", spec.purpose)
             .set("kind", spec.kind == ToolKind::answer ? "answer" : "maker")
             .set("usage", Json::array_of(spec.usage))
             .set("examples", std::move(examples))
             .set("options", std::move(options))
             .dump() +
         '\n';
}

}  // namespace logpx
