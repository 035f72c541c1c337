#include "formats/file/input.hpp"
#include "formats/file/payload.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/isa.hpp"
#include "tools/common/app.hpp"
#include "tools/common/progress.hpp"
#include "tools/compress/coding_model.hpp"
#include "tools/compress/listing.hpp"
#include "tools/compress/member_output.hpp"
#include "tools/compress/names.hpp"
#include "tools/compress/opened_archive.hpp"
#include "tools/compress/runs.hpp"
#include "tools/compress/source_file.hpp"
#include "tools/compress/summary.hpp"
#include "tools/compress/targets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace logpx::compress {
namespace {

constexpr std::string_view hdf5_magic("\x89HDF\r\n\x1a\n", 8);

bool is_hdf5(const std::string& path) {
  if (path == "-" || is_stream(path)) return false;
  try {
    SourceFile file(path, SourceFile::Links::follow);
    return std::ranges::equal(file.peek(8), archive::bytes_of(hdf5_magic));
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::string> folders_of(const std::string& option) {
  std::string text = option;
  if (const char* set = std::getenv("LOGPX_MODEL_PATH"); text.empty() && set != nullptr) text = set;
  return text.empty() ? std::vector<std::string>() : split_text(text, ':');
}

class DecodeRun {
 public:
  DecodeRun(App& app, const DecodeOptions& options) : app_(app), options_(options), targets_(app) {}
  void run();

 private:
  void take_operands();
  void check_options() const;
  void decode_or_tell(const std::string& file);
  void decode(const std::string& file);
  [[nodiscard]] OpenerSettings settings(const std::string& file, double size);
  [[nodiscard]] std::string target_of(const std::string& file) const;
  [[nodiscard]] const std::string& claimed(const std::string& target);
  [[nodiscard]] std::unique_ptr<SourceFile> open(const std::string& file) const;
  void list(const std::string& file);
  void report();

  App& app_;
  const DecodeOptions& options_;
  std::string model_path_;
  std::vector<std::string> files_;
  Targets targets_;
  std::optional<ModelFinder> finder_;
  std::unique_ptr<JoinedOutput> joined_;  // one output for all archives
  std::unique_ptr<Progress> progress_;
  Figures figures_;
  std::string identity_;
};

void DecodeRun::take_operands() {
  files_ = options_.operands;
  if (!files_.empty() && is_hdf5(files_.front())) {
    model_path_ = files_.front();
    files_.erase(files_.begin());
  }
  if (files_.empty()) files_.push_back("-");
  finder_.emplace(ModelFinder::Places{.operand = model_path_,
                                      .model = nullptr,
                                      .folders = folders_of(options_.model_path),
                                      .trust_embedded = options_.trust_embedded_model},
                  app_.workers());
}

void DecodeRun::check_options() const {
  const auto excludes = [](bool both, const char* option, const char* why) {
    if (both) fail(ErrorKind::usage, option, why);
  };
  const bool writes = !options_.test && !options_.list, one = !options_.output.empty();
  const bool from_stdin = std::ranges::count(files_, "-") > 0;
  excludes(options_.test && options_.list, "--test", "excludes --list");
  excludes(!writes && one, "--output", "nothing is written by --test and --list");
  excludes(!writes && options_.remove, "--rm", "nothing is removed by --test and --list");
  if (!writes)
    refuse_given(app_.fields(), {"--to", "--restore-name", "--output-dir", "--suffix", "--times"},
                 "does nothing where nothing is written");
  if (options_.list)
    refuse_given(app_.fields(), {"--max-output", "--model-path", "--trust-embedded-model"},
                 "does nothing with --list");
  excludes(one && !options_.output_dir.empty(), "--output-dir", "excludes --output");
  excludes(one && options_.restore_name, "--restore-name", "excludes --output");
  excludes(options_.remove && one && files_.size() > 1, "--rm",
           "keeps archives that share an output");
  excludes(options_.remove && options_.output == "-", "--rm", "keeps archives that go to stdout");
  excludes(options_.remove && options_.to != archive::OutputForm::same, "--rm",
           "keeps archives of files that come out in another form (--to)");
  excludes(options_.remove && from_stdin, "--rm", "cannot remove stdin");
  excludes(options_.suffix.empty(), "--suffix", "is empty");
  if (std::ranges::count(files_, "-") > 1)
    fail(ErrorKind::usage, "-", "stdin is given for two inputs");
}

std::unique_ptr<SourceFile> DecodeRun::open(const std::string& file) const {
  const bool follow = app_.overwrite() == Overwrite::replace || options_.output == "-" ||
                      options_.test || options_.list;
  return std::make_unique<SourceFile>(
      file, follow ? SourceFile::Links::follow : SourceFile::Links::refuse);
}

std::string DecodeRun::target_of(const std::string& file) const {
  if (!options_.output.empty()) return options_.output;
  if (file == "-") return "-";
  if (!file.ends_with(options_.suffix) || file.size() == options_.suffix.size())
    fail(ErrorKind::usage, file, "does not end with " + options_.suffix,
         "-o FILE or --suffix SUF says what to call the output");
  const std::string name = file.substr(0, file.size() - options_.suffix.size());
  if (name.ends_with('/'))
    fail(ErrorKind::usage, file, "leaves no name for the output", "-o FILE gives one");
  return in_folder(name, options_.output_dir);
}

const std::string& DecodeRun::claimed(const std::string& target) {
  targets_.claim(target);
  return target;
}

OpenerSettings DecodeRun::settings(const std::string& file, double size) {
  OpenerSettings settings;
  settings.coding = [this](const archive::ArchiveHeader& header,
                           const archive::EmbeddedModel* model) {
    identity_ = header.model_identity;
    return finder_->coding_for(header, model);
  };
  settings.form = options_.to;
  settings.batch = [this](const archive::CodingUnits& units) {
    return blocks_at_once(app_, units);
  };
  if (options_.max_output.value > 0) settings.max_output = options_.max_output.value;
  else if (options_.test) settings.max_output = std::uint64_t{4} << 30;
  progress_ = app_.progress("MB", std::floor(size / 1e6));
  settings.progress = [this](std::uint64_t done) {
    progress_->update(static_cast<double>(done / 1'000'000));
  };
  settings.warn = [this, file](const std::string& text) { app_.warn(file + ": " + text); };
  return settings;
}

void DecodeRun::decode(const std::string& file) {
  const double start = wall_seconds();
  auto source = open(file);
  std::unique_ptr<MemberOutput> own;
  MemberOutput* output = joined_.get();
  if (output == nullptr) {
    if (options_.test) own = std::make_unique<NoOutput>(app_);
    else if (options_.restore_name)
      own = std::make_unique<NamedOutputs>(app_, options_, targets_, file);
    else own = std::make_unique<JoinedOutput>(app_, options_, claimed(target_of(file)));
    output = own.get();
  }
  std::vector<std::string> inputs = files_;
  if (!model_path_.empty()) inputs.push_back(model_path_);
  output->check_inputs(inputs);
  Sha256 hash;
  const auto supply = [&](std::span<std::byte> out) {
    const std::size_t count = source->read(out);
    hash.update(out.first(count));
    return count;
  };
  ArchiveOpener opener(settings(source->name(), static_cast<double>(source->size().value_or(0))),
                       app_.workers(), supply, *output);
  opener.run();
  progress_->erase();
  if (own != nullptr) own->finish();
  Figures figures = opener.figures();
  figures.seconds = wall_seconds() - start;
  figures_ += figures;
  app_.add_input({.role = "archive",
                  .path = file,
                  .kind = "lpx",
                  .bytes = figures.archive_bytes,
                  .content_hash = hash.hex(),
                  .provenance = {}});
  output->tell(source->name(), figures);
  if (!options_.remove) return;
  // Joined, the members have lost their names and where each of them begins.
  if (figures.members > 1 && !options_.restore_name)
    return app_.warn(source->name() + ": its " + std::to_string(figures.members) +
                     " members are joined, so it stays; --rm --restore-name removes it");
  app_.at_end([&app = app_, kept = std::shared_ptr<SourceFile>(std::move(source))] {
    kept->remove([&app](const std::string& text) { app.warn(text); });
  });
}

void DecodeRun::decode_or_tell(const std::string& file) {
  const auto act = [&] { options_.list ? list(file) : decode(file); };
  try {
    try {
      act();
    } catch (const Error& error) {
      progress_.reset();
      // An archive's own errors have its places for subjects, not its name.
      if (error.kind() == ErrorKind::data || error.subject().empty())
        throw error.within(file == "-" ? "stdin" : shown(file));
      throw;
    }
  } catch (const Error& error) {
    if (files_.size() == 1 || joined_ != nullptr) throw;
    app_.failed(error);
  }
}

void DecodeRun::list(const std::string& file) {
  const auto source = open(file);
  const Listing listing = list_archive([&](std::span<std::byte> out) { return source->read(out); });
  app_.print(listing.text(source->name(), app_.is_verbose() ? Detail::full : Detail::brief));
  figures_ += listing.figures;
}

void DecodeRun::report() {
  Json& result = app_.result();
  result = figures_.json();
  result.set("model_identity", identity_.empty() ? Json() : Json(identity_));
  if (!reproducible_build())
    result.set("threads", app_.workers().threads()).set("isa", isa_name(active_isa()));
}

void DecodeRun::run() {
  if (options_.selftest) return app_.print(selftest_text());
  require_numerics();
  take_operands();
  check_options();
  const bool writes = !options_.test && !options_.list;
  if (app_.dry_run()) {
    for (const std::string& file : files_) {
      (void)open(file);
      if (!writes || options_.restore_name) continue;
      if (options_.output.empty()) targets_.claim(target_of(file));
      OutputFile::check_target(target_of(file), app_.overwrite());
    }
    return app_.say("would decode " + std::to_string(files_.size()) + " archives");
  }
  if (writes && !options_.output.empty())
    joined_ = std::make_unique<JoinedOutput>(app_, options_, claimed(options_.output));
  for (const std::string& file : files_) decode_or_tell(file);
  if (joined_ != nullptr) joined_->finish();
  report();
}

}  // namespace

void run_decode(App& app, DecodeOptions& options) { DecodeRun(app, options).run(); }

}  // namespace logpx::compress
