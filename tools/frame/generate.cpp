// Manual options and completions, from the same fields that parse the command line.
#include "tools/frame/help.hpp"

#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/foreign_words.hpp"

#include <cctype>
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

std::vector<std::string> spellings(const Field& field) {
  std::vector<std::string> names;
  if (field.short_name() != 0) names.push_back(std::string("-") + field.short_name());
  names.push_back(field.option());
  if (field.has_negation()) names.push_back("--no-" + field.option().substr(2));
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
  for (const Choice& choice : field.choices())
    if (choice.says.empty())
      fail(ErrorKind::io, spec.name,
           field.option() + ' ' + choice.word + " has no text (a bug: say it in describe())");
}

// The words of a choice, each with what it means, below the option.
std::string manual_choices(const Field& field) {
  std::string text;
  for (const Choice& choice : field.choices())
    text += ".TP\n\\fB" + roff(choice.word) + "\\fR\n" + filled(roff(choice.says + '.'));
  return text.empty() ? "" : ".RS\n" + text + ".RE\n";
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
  if (const std::string with = field.goes_with(); !with.empty()) says += "; " + with;
  if (const std::string range = range_text(field); !range.empty()) says += "; " + range;
  if (field.is_required()) says += "; required";
  if (const std::string fallback = field.default_text(); !fallback.empty())
    says += "; default " + fallback;
  text += filled(roff(says) + '.');
  if (!field.about().empty()) text += ".IP\n" + filled(roff(field.about()));
  return text + manual_choices(field);
}

std::string manual_entry(const FrameOption& own) {
  std::string says = std::string(own.says) + '.';
  says.front() = static_cast<char>(std::toupper(says.front()));
  const std::string letter =
      own.short_name == 0 ? "" : std::string("\\fB\\-") + own.short_name + "\\fR, ";
  return ".TP\n" + letter + "\\fB" + roff(own.option) + "\\fR\n" + filled(roff(says));
}

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}

// The three scripts only pass the words on; the tool answers what they may be (candidates.cpp).
// TOOL stands for its name, NAME for its name as an identifier.
constexpr const char* bash_script = R"(# bash completion for TOOL
_logpx_NAME() {
  local i piece candidate words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    # readline cuts words at = and :, the tool does not
    if [[ ${#words[@]} -gt 0 && ($piece == [=:] || ${COMP_WORDS[i-1]} == [=:]) ]]; then
      words[-1]+=$piece
    else
      words+=("$piece")
    fi
  done
  piece=${COMP_WORDS[COMP_CWORD]#[=:]}
  local word=${words[-1]} tool=${COMP_WORDS[0]/#\~/$HOME}
  local cut=${word%"$piece"}
  words[-1]=${word//\\/}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    candidate=${candidate#"$cut"}
    COMPREPLY+=("${candidate%/}")
  done < <("$tool" --candidates "${words[@]}" 2> /dev/null)
}
complete -o filenames -F _logpx_NAME TOOL
)";

constexpr const char* zsh_script = R"(#compdef TOOL
local line
local -a words_so_far
words_so_far=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
for line in "${(@f)$(command ${(Q)words[1]} --candidates "${(@)words_so_far}" 2> /dev/null)}"; do
  local word=${line%%$'\t'*}
  local -a says
  says=("$word  ${line#*$'\t'}")
  [[ -z $word ]] || if [[ $word == */ ]]; then compadd -S '' -- $word
  else compadd -l -d says -- $word; fi
done
)";

constexpr const char* fish_script = R"(# fish completion for TOOL
function __logpx_candidates
  set -l words (commandline -opc)
  command $words[1] --candidates $words[2..-1] (commandline -ct) 2> /dev/null
end
complete -c TOOL -f -a '(__logpx_candidates)'
)";

std::string completion(const char* script, const std::string& tool) {
  return replaced(replaced(script, "TOOL", tool), "NAME", replaced(tool, "-", "_"));
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
  for (const FrameOption& own : frame_options) text += manual_entry(own);
  if (!spec.without_effect.empty())
    text += ".PP\n" + filled("Accepted, and without effect in this tool: \\fB\\-\\-" +
                             join_text(spec.without_effect, "\\fR, \\fB\\-\\-") + "\\fR.");
  return text;
}

std::string bash_completion(const ToolSpec& spec) { return completion(bash_script, spec.name); }
std::string zsh_completion(const ToolSpec& spec) { return completion(zsh_script, spec.name); }
std::string fish_completion(const ToolSpec& spec) { return completion(fish_script, spec.name); }

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
    if (const std::string with = field.goes_with(); !with.empty()) option.set("goes_with", with);
    if (!field.formats().empty()) option.set("formats", Json::array_of(field.formats()));
    if (!field.choices().empty()) {
      Json texts = Json::array();
      for (const Choice& choice : field.choices()) texts.push(choice.says);
      option.set("words", Json::array_of(field.words())).set("texts", std::move(texts));
    }
    if (const std::string range = range_text(field); !range.empty()) option.set("range", range);
    options.push(std::move(option));
  }
  Json foreign = Json::array();
  for (const ForeignWord& known : foreign_words(spec.name))
    foreign.push(Json::object().set("word", known.word).set("here", known.option));
  Json examples = Json::array();
  for (const Example& example : spec.examples) examples.push(example.command);
  return Json::object()
             .set("tool", spec.name)
             .set("purpose", spec.purpose)
             .set("kind", spec.kind == ToolKind::answer ? "answer" : "maker")
             .set("usage", Json::array_of(spec.usage))
             .set("examples", std::move(examples))
             .set("options", std::move(options))
             .set("foreign_words", std::move(foreign))
             .dump() +
         '\n';
}

}  // namespace logpx
