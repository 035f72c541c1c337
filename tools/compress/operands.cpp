#include "tools/compress/operands.hpp"

#include "formats/artifact.hpp"
#include "formats/file/output.hpp"
#include "formats/file/suffix.hpp"
#include "formats/h5/file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/archives/names.hpp"
#include "tools/archives/source_file.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/help.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace logpx::compress {
namespace {

constexpr const char* options_of_models[] = {"--lanes", "--block-items", "--model-only"};
constexpr const char* options_of_rows[] = {"--rows", "--limit"};
constexpr const char* options_of_outputs[] = {"--to", "--restore-name", "--output-dir", "--suffix",
                                              "--times"};
constexpr const char* options_of_content[] = {"--max-output", "--model-path",
                                              "--trust-embedded-model", "--member", "--prime"};

constexpr const char* without_model = "does nothing without a model";

constexpr std::string_view hdf5_magic("\x89HDF\r\n\x1a\n", 8);

// Nothing for HDF5 files of other programs and for files that cannot be opened.
std::optional<ArtifactKind> kind_of(const std::string& path) {
  try {
    return ArtifactFile(path).kind();
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Warns of a model among the files to code while no model is used, and of files that training keeps
// beside a model: they were hardly meant to be coded.
void warn_of_models(App& app, const Operands& operands) {
  if (operands.files.size() < 2) return;
  for (const std::string& file : operands.files) {
    if (!is_hdf5(file)) continue;
    const auto kind = kind_of(file);
    if (kind == ArtifactKind::model)
      app.warn(shown(file) + ": is a model, and is compressed like any other file, since " +
               "only the first operand codes, and --fallback-only and --store use none; leave " +
               "it out if that was not meant");
    if (kind == ArtifactKind::checkpoint)
      app.warn(shown(file) + ": is a checkpoint, and is compressed like any other file; " +
               "the model that was trained beside it codes files");
  }
}

// Whether --embed-model embeds a model, not only the file of --prime.
bool embeds_model(const App& app, const EncodeOptions& options) {
  return is_given(app.fields(), "--embed-model") && options.prime.empty();
}

bool opens_as_hdf5(const std::string& path) {
  try {
    SeekableInput input(path);
    (void)h5::File::open(input);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Whether the first operand is meant as a model. A file that is named like one, or is damaged,
// counts as one: opening it then says what is wrong, and nothing is coded without it.
bool is_meant_as_model(const std::vector<std::string>& operands) {
  const std::string& first = operands.front();
  if (first == "-" || is_stream(first)) return operands.size() > 1;
  if (!is_hdf5(first)) return first.ends_with(".h5");
  const auto kind = kind_of(first);
  return kind ? *kind == ArtifactKind::model : !opens_as_hdf5(first);
}

void take_model(Operands& operands) {
  operands.model = operands.files.front();
  operands.files.erase(operands.files.begin());
}

void excludes(bool both, const char* option, const char* why) {
  if (both) fail(ErrorKind::usage, option, why);
}

void check_stdin(const Operands& operands) {
  if (std::ranges::count(operands.files, "-") > 1)
    fail(ErrorKind::usage, "-", "stdin is given for two inputs");
}

void check_without_model(const App& app, EncodeOptions& options) {
  refuse_given(app.fields(), options_of_models, without_model);
  options.knobs.refuse(without_model);
  excludes(embeds_model(app, options), "--embed-model", "does nothing without a model or --prime");
}

void check(const App& app, EncodeOptions& options, const Operands& operands) {
  if (operands.model.empty()) check_without_model(app, options);
  const bool joined = !options.output.empty() && operands.files.size() > 1;
  excludes(options.store && options.fallback_only, "--store", "excludes --fallback-only");
  excludes(options.store && is_given(app.fields(), "--effort"), "--effort",
           "does nothing with --store");
  excludes(options.store && !options.prime.empty(), "--prime", "does nothing with --store");
  excludes(options.effort == archive::Effort::fast && !options.prime.empty(), "--prime",
           "needs --effort normal or best");
  excludes(options.store && options.pixels, "--pixels", "does nothing with --store");
  excludes(!options.output.empty() && !options.output_dir.empty(), "--output-dir",
           "excludes --output");
  excludes(options.remove && joined, "--rm", "cannot remove files that share an archive");
  excludes(options.remove && options.output == "-", "--rm",
           "cannot remove files that go to stdout");
  excludes(options.remove && options.dataset, "--rm", "cannot remove datasets");
  excludes(options.remove && operands.has_stdin(), "--rm", "cannot remove stdin");
  if (!options.dataset)
    refuse_given(app.fields(), options_of_rows, "chooses rows of a dataset (--dataset)");
  excludes(options.as_set && !options.dataset, "--as-set",
           "is for the rows of a dataset (--dataset)");
  if (options.as_set && joined)
    fail(ErrorKind::usage, "--as-set", "takes one dataset for an archive",
         "leave out --output: each dataset gets an archive of its own");
  excludes(options.dataset && operands.has_stdin(), "--dataset", "reads files, not stdin");
  excludes(options.suffix.empty(), "--suffix", "is empty");
  (void)format_for("FILE" + options.suffix, {.formats = {"lpx"}});  // a suffix is a promise
  excludes(!std::has_single_bit(static_cast<std::uint64_t>(options.lanes)), "--lanes",
           "is not 1, 2, 4 or 8");
  check_stdin(operands);
}

void check(const App& app, const DecodeOptions& options, const Operands& operands) {
  const bool one = !options.output.empty();
  excludes(options.test && options.list, "--test", "excludes --list");
  excludes(!options.writes() && one, "--output", "nothing is written by --test and --list");
  excludes(!options.writes() && options.remove, "--rm", "nothing is removed by --test and --list");
  if (!options.writes())
    refuse_given(app.fields(), options_of_outputs, "does nothing where nothing is written");
  if (options.list) refuse_given(app.fields(), options_of_content, "does nothing with --list");
  excludes(one && !options.output_dir.empty(), "--output-dir", "excludes --output");
  excludes(one && options.restore_name, "--restore-name", "excludes --output");
  excludes(options.remove && one && operands.files.size() > 1, "--rm",
           "cannot remove archives that share an output");
  excludes(options.remove && options.output == "-", "--rm",
           "cannot remove archives that go to stdout");
  excludes(options.remove && options.to != archive::OutputForm::same, "--rm",
           "cannot remove archives of files that come out in another form (--to)");
  excludes(options.remove && operands.has_stdin(), "--rm", "cannot remove stdin");
  excludes(options.remove && !options.members.empty(), "--rm",
           "cannot remove archives of which only some members are taken (--member)");
  excludes(options.suffix.empty(), "--suffix", "is empty");
  check_stdin(operands);
}

}  // namespace

bool is_hdf5(const std::string& path) {
  if (path == "-" || is_stream(path)) return false;
  try {
    SourceFile file(path, SourceFile::Links::follow);
    return std::ranges::equal(file.peek(8), archive::bytes_of(hdf5_magic));
  } catch (const Error&) {
    return false;
  }
}

bool Operands::has_stdin() const { return std::ranges::count(files, "-") > 0; }

std::string hint_without_model(const App& app, const EncodeOptions& options) {
  const auto given = [&](const char* name) { return is_given(app.fields(), name); };
  constexpr std::size_t most_words = 12;  // of a command shown on one line
  if (options.knobs.given() || std::ranges::any_of(options_of_models, given) ||
      embeds_model(app, options) || app.command().size() > most_words)
    return "the first operand is the model; --fallback-only codes without one";
  std::vector<std::string> words = app.command();
  words.insert(words.begin() + 1, "--fallback-only");
  for (std::string& word : words) word = shell_word(word);
  return "without a model: " + join_text(words, " ");
}

Operands operands_of(App& app, EncodeOptions& options) {
  Operands operands{.model = {}, .files = options.operands};
  const bool may_use_one = !options.fallback_only && !options.store && !operands.files.empty();
  if (may_use_one && is_meant_as_model(operands.files)) take_model(operands);
  else warn_of_models(app, operands);
  if (operands.files.empty()) operands.files.push_back("-");
  check(app, options, operands);
  return operands;
}

Operands operands_of(const App& app, const DecodeOptions& options) {
  Operands operands{.model = {}, .files = options.operands};
  if (!operands.files.empty() && is_hdf5(operands.files.front())) take_model(operands);
  if (operands.files.empty()) operands.files.push_back("-");
  check(app, options, operands);
  return operands;
}

}  // namespace logpx::compress
