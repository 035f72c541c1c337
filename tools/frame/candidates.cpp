// For shell completion: which words could end a command line.
#include "formats/artifact.hpp"
#include "formats/dataset_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/help.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace logpx {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_opened = 200;  // how many files of a folder are opened to see their kind

// FILE[:SPLIT]|R: a dataset, or no file at all.
std::string pattern_of(const Field& field) {
  return field.metavar().starts_with("FILE[:SPLIT]|") ? "*.h5 of dataset" : field.files();
}

// The meaning of a field's files(): "*.{h5,json}" are files that end with .h5 or .json, "*.h5 of
// model" only HDF5 files of that kind; other patterns mean any file.
struct Wanted {
  std::vector<std::string> suffixes, kinds;
};

Wanted wanted_by(const Field& field) {
  Wanted wanted;
  const std::vector<std::string> words = split_text(pattern_of(field), ' ');
  for (std::size_t i = 2; i < words.size(); ++i) wanted.kinds.push_back(words[i]);
  std::string_view pattern = words.front();
  if (!pattern.starts_with("*.")) return wanted;
  pattern.remove_prefix(2);
  if (pattern.starts_with('{')) pattern = pattern.substr(1, pattern.size() - 2);
  for (const std::string& suffix : split_text(pattern, ','))
    wanted.suffixes.push_back('.' + suffix);
  return wanted;
}

// "hmm" from "hmm", "hclt" from "hclt (tree of hidden states)", "threshold" from "threshold[:T]",
// "file:" from "file:F"; empty if the item is not a word of an option.
std::string word_in(const std::string& item) {
  const std::string word = item.substr(0, item.find(" ("));
  const std::size_t end =
      std::min(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), word.size());
  const std::string rest = word.substr(end);
  const bool with_value = rest.starts_with(':');
  if (end == 0 || !(rest.empty() || with_value || rest.starts_with("[:"))) return "";
  if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 || rest.find(' ') != rest.npos)
    return "";
  return word.substr(0, end) + (with_value ? ":" : "");
}

// The words of an option that is text to Fields because some take a value ("threshold:9"), read
// from its help, which lists them: "none, threshold[:T] or static", perhaps after a colon.
std::vector<std::string> words_in(const std::string& help) {
  const std::size_t colon = help.find(": ");
  std::string list = colon == std::string::npos ? help : help.substr(colon + 2);
  for (const std::string_view between : {", or ", " or "})
    for (std::size_t at = 0; (at = list.find(between, at)) != std::string::npos;)
      list.replace(at, between.size(), ", ");
  std::vector<std::string> words;
  for (const std::string& item : split_text(list, ',')) {
    words.push_back(word_in(item.substr(item.find_first_not_of(' '))));
    if (words.back().empty()) return {};
  }
  return words.size() > 1 ? words : std::vector<std::string>();
}

bool takes_files(const Field& field) { return field.is_output() || !pattern_of(field).empty(); }

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether an HDF5 file is of one of these kinds; false if it cannot be opened.
bool is_of_kind(const std::string& path, const std::vector<std::string>& kinds) {
  try {
    return has(kinds, word_of(ArtifactFile(path).kind()));
  } catch (const Error&) {
    return false;
  }
}

class Candidates {
 public:
  explicit Candidates(const Fields& fields) : fields_(fields) {
    for (const Field& field : fields_.all())
      if (field.is_positional()) operands_.push_back(&field);
  }

  std::string text(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) pass(words[i]);
    last(words.empty() ? "" : words.back());
    std::string lines;
    for (const auto& [word, says] : found_) lines += word + '\t' + says + '\n';
    return lines;
  }

 private:
  // Takes a word before the last one, which decides what the next may be.
  void pass(const std::string& word) {
    if (wanting_ != nullptr) wanting_ = nullptr;
    else if (only_operands_ || word.size() < 2 || word[0] != '-') ++operand_;
    else if (word == "--") only_operands_ = true;
    else if (const Field* field = option_of(word); field != nullptr && needs_value(*field, word))
      wanting_ = field;
  }

  void last(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (wanting_ != nullptr) return values(*wanting_, "", word, first_item);
    if (only_operands_ || !word.starts_with('-')) return operand(word);
    if (equals == std::string::npos) return options(word);
    if (const Field* field = fields_.find_option(word.substr(0, equals)); field != nullptr)
      values(*field, word.substr(0, equals + 1), word.substr(equals + 1), first_item);
  }

  const Field* option_of(const std::string& word) const {
    if (word.starts_with("--")) return fields_.find_option(word);
    for (const Field& field : fields_.all())
      if (field.short_name() == word.back()) return &field;
    return nullptr;
  }

  static bool needs_value(const Field& field, const std::string& word) {
    return field.type() != FieldType::flag && word.find('=') == std::string::npos;
  }

  void operand(const std::string& word) {
    if (operands_.empty()) return;
    const std::size_t place = std::min(operand_, operands_.size() - 1);
    if (operand_ > place && !operands_[place]->repeats()) return;
    values(*operands_[place], "", word, operand_ - place);
  }

  void options(const std::string& word) {
    for (const FrameOption& own : frame_options) offer("", own.option, own.says, word);
    for (const Field& field : fields_.all()) {
      if (field.is_positional() || field.rank() == Rank::set_only) continue;
      offer("", field.option(), field.help(), word);
      if (field.has_negation())
        offer("", "--no-" + field.option().substr(2), "not: " + field.help(), word);
    }
  }

  // `before` precedes the value and stays: "--likelihood=", or the first items of a list in one
  // word. In a list of operands only the first must be of the wanted kind.
  void values(const Field& field, std::string before, std::string word, std::size_t item) {
    const bool by_commas = field.metavar().find(',') != std::string::npos;
    if (const std::size_t comma = word.rfind(','); by_commas && comma != std::string::npos) {
      before += word.substr(0, comma + 1);
      word.erase(0, comma + 1);
    }
    for (const Choice& choice : field.choices()) offer(before, choice.word, choice.says, word);
    if (!takes_files(field)) {
      if (field.type() == FieldType::text)
        for (const std::string& said : words_in(field.help()))
          offer(before, said, field.help(), word);
      return;
    }
    Wanted wanted = wanted_by(field);
    if (item != first_item) wanted.kinds.clear();
    if (has(wanted.kinds, "dataset")) splits(before, word);
    files(wanted, before, word, field.help());
  }

  // "d.h5:te" -> "d.h5:test"
  void splits(const std::string& before, const std::string& word) {
    const std::size_t colon = word.rfind(':');
    if (colon == std::string::npos || !fs::is_regular_file(word.substr(0, colon))) return;
    const DatasetFile file(word.substr(0, colon));
    for (const Split& split : file.info().splits)
      offer(before, word.substr(0, colon + 1) + split.name,
            std::to_string(split.end - split.begin) + " rows", word);
  }

  void files(const Wanted& wanted, const std::string& before, const std::string& word,
             const std::string& says) {
    const std::string folder = word.substr(0, word.rfind('/') + 1);  // npos + 1 is 0
    std::size_t opened = 0;
    std::error_code error;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string(), path = folder + name;
      const bool hidden = name.starts_with('.') && word == folder;
      if (hidden || !path.starts_with(word)) continue;
      std::error_code ignored;
      if (at->is_directory(ignored)) {
        offer(before, path + '/', "folder", word);
        continue;
      }
      const auto ends = [&](const std::string& suffix) { return name.ends_with(suffix); };
      if (!wanted.suffixes.empty() && std::ranges::none_of(wanted.suffixes, ends)) continue;
      const bool judged = !wanted.kinds.empty() && name.ends_with(".h5") && ++opened <= most_opened;
      if (!judged || is_of_kind(path, wanted.kinds)) offer(before, path, says, word);
    }
  }

  void offer(const std::string& before, const std::string& word, const std::string& says,
             const std::string& beginning) {
    if (word.starts_with(beginning)) found_.emplace(before + word, says);
  }

  static constexpr std::size_t first_item = 0;

  const Fields& fields_;
  std::vector<const Field*> operands_;
  const Field* wanting_ = nullptr;  // the option whose value comes next
  bool only_operands_ = false;      // after --
  std::size_t operand_ = 0;
  std::set<std::pair<std::string, std::string>> found_;
};

}  // namespace

std::string candidates(const Fields& fields, const std::vector<std::string>& words) {
  try {
    return Candidates(fields).text(words);
  } catch (const std::exception&) {
    return "";  // nobody wants to read an error in the middle of a command line
  }
}

}  // namespace logpx
