#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/common/app.hpp"
#include "tools/compress/decode_job.hpp"
#include "tools/compress/listing.hpp"
#include "tools/compress/names.hpp"
#include "tools/compress/runs.hpp"
#include "tools/compress/summary.hpp"

#include <cstdlib>

namespace logpx::compress {
namespace {

std::vector<std::string> folders_of(const std::string& option) {
  std::string text = option;
  if (const char* set = std::getenv("LOGPX_MODEL_PATH"); text.empty() && set != nullptr) text = set;
  return text.empty() ? std::vector<std::string>() : split_text(text, ':');
}

class DecodeRun {
 public:
  DecodeRun(App& app, const DecodeOptions& options)
      : app_(app),
        options_(options),
        operands_(operands_of(app, options)),
        targets_(app),
        models_({.operand = operands_.model,
                 .model = nullptr,
                 .folders = folders_of(options.model_path),
                 .trust_embedded = options.trust_embedded_model},
                app.workers()) {}
  void run();

 private:
  void check_all();
  [[nodiscard]] std::string target_of(const std::string& file) const;
  [[nodiscard]] std::unique_ptr<MemberOutput> joined_output(const std::string& target);
  [[nodiscard]] std::unique_ptr<MemberOutput> output_of(const std::string& file);
  void act_or_tell(const std::string& file);
  void decode(const std::string& file);
  void list(const std::string& file);
  void report();

  App& app_;
  const DecodeOptions& options_;
  const Operands operands_;
  Targets targets_;
  ModelFinder models_;
  std::unique_ptr<MemberOutput> joined_;  // one output for all archives
  Figures figures_;
  std::string identity_;
};

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

std::unique_ptr<MemberOutput> DecodeRun::joined_output(const std::string& target) {
  targets_.claim(target);
  return std::make_unique<JoinedOutput>(app_, options_, target);
}

std::unique_ptr<MemberOutput> DecodeRun::output_of(const std::string& file) {
  if (options_.test) return std::make_unique<NoOutput>(app_);
  if (options_.restore_name) return std::make_unique<NamedOutputs>(app_, options_, targets_, file);
  return joined_output(target_of(file));
}

void DecodeRun::decode(const std::string& file) {
  DecodeJob job({app_, options_, operands_, models_}, file);
  job.open();
  const std::unique_ptr<MemberOutput> own = joined_ == nullptr ? output_of(file) : nullptr;
  MemberOutput& output = own == nullptr ? *joined_ : *own;
  const Figures figures = job.run(output);
  if (own != nullptr) own->finish();
  identity_ = job.model_identity();
  figures_ += figures;
  job.conclude(output, figures);
}

void DecodeRun::list(const std::string& file) {
  const auto source = open_archive(app_, options_, file);
  const Listing listing = list_archive([&](std::span<std::byte> out) { return source->read(out); });
  app_.print(listing.text(source->name(), app_.is_verbose() ? Detail::full : Detail::brief));
  figures_ += listing.figures;
}

void DecodeRun::act_or_tell(const std::string& file) {
  try {
    try {
      options_.list ? list(file) : decode(file);
    } catch (const Error& error) {
      // An archive's own errors have its places for subjects, not its name.
      if (error.kind() == ErrorKind::data || error.subject().empty())
        throw error.within(file == "-" ? "stdin" : shown(file));
      throw;
    }
  } catch (const Error& error) {
    if (operands_.files.size() == 1 || joined_ != nullptr) throw;
    app_.failed(error);
  }
}

void DecodeRun::report() {
  Json& result = app_.result();
  result = figures_.json();
  result.set("model_identity", identity_.empty() ? Json() : Json(identity_));
  tell_machine(app_);
}

// For --dry-run.
void DecodeRun::check_all() {
  for (const std::string& file : operands_.files) {
    (void)open_archive(app_, options_, file);
    if (!options_.writes() || options_.restore_name) continue;
    if (options_.output.empty()) targets_.claim(target_of(file));
    OutputFile::check_target(target_of(file), app_.overwrite());
  }
  app_.say("would decode " + std::to_string(operands_.files.size()) + " archives");
}

void DecodeRun::run() {
  if (app_.dry_run()) return check_all();
  if (options_.writes() && !options_.output.empty()) joined_ = joined_output(options_.output);
  for (const std::string& file : operands_.files) act_or_tell(file);
  if (joined_ != nullptr) joined_->finish();
  report();
}

}  // namespace

void run_decode(App& app, DecodeOptions& options) {
  if (options.selftest) return app.print(selftest_text());
  require_numerics();
  DecodeRun(app, options).run();
}

}  // namespace logpx::compress
