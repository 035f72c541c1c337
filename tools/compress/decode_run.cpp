#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/archives/listing.hpp"
#include "tools/archives/member_choice.hpp"
#include "tools/archives/names.hpp"
#include "tools/compress/decode_job.hpp"
#include "tools/compress/operands.hpp"
#include "tools/compress/runs.hpp"
#include "tools/compress/summary.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

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
                 .trust_embedded = options.trust_embedded_model,
                 .prime = options.prime},
                app.workers()) {
    if (!operands_.model.empty()) targets_.protect(operands_.model);
    if (!options.prime.empty()) targets_.protect(options.prime);
    for (const std::string& file : operands_.files) targets_.protect(file);
  }
  void run();

 private:
  [[nodiscard]] std::vector<std::string> members_of(const std::string& file) const;
  void find_twins();
  [[nodiscard]] std::string bare_name(const std::string& file) const;
  [[nodiscard]] std::string target_of(const std::string& file) const;
  [[nodiscard]] std::unique_ptr<MemberOutput> named_outputs(const std::string& file);
  [[nodiscard]] std::unique_ptr<MemberOutput> output_of(const std::string& file, DecodeJob& job);
  void check_choice(const std::vector<std::string>& names) const;
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
  std::set<std::string> twins_;           // archives and members of equal names
  Figures figures_;
  std::string identity_;
};

// Nothing for a stream, which can be read once only, or for a file that decoding will refuse.
std::vector<std::string> DecodeRun::members_of(const std::string& file) const {
  std::vector<std::string> names;
  try {
    const auto source = open_archive(app_, options_, file);
    if (!source->is_regular()) return {};
    const Listing listing =
        list_archive([&](std::span<std::byte> out) { return source->read(out); });
    for (const Listing::Part& part : listing.parts)
      for (const Listing::Entry& entry : part.members) names.push_back(entry.member.name);
  } catch (const Error&) {
    return {};
  }
  return names;
}

// a/x.lpx and b/x.lpx: below --output-dir their members keep the folders of the archives.
void DecodeRun::find_twins() {
  std::map<std::string, std::vector<std::string>> by_name;
  for (const std::string& file : operands_.files)
    if (file != "-") by_name[in_folder(file, ".")].push_back(file);
  for (const auto& [name, files] : by_name) {
    if (files.size() < 2) continue;
    std::map<std::string, int> uses;
    for (const std::string& file : files)
      for (const std::string& member : members_of(file)) ++uses[member];
    if (std::ranges::any_of(uses, [](const auto& use) { return use.second > 1; }))
      twins_.insert(files.begin(), files.end());
  }
}

// FILE.lpx without its suffix; empty if it has none.
std::string DecodeRun::bare_name(const std::string& file) const {
  if (!file.ends_with(options_.suffix)) return "";
  const std::string name = file.substr(0, file.size() - options_.suffix.size());
  return name.ends_with('/') ? "" : name;
}

std::string DecodeRun::target_of(const std::string& file) const {
  if (file == "-") return "-";
  const std::string name = bare_name(file);
  if (name.empty() && file.ends_with(options_.suffix))
    fail(ErrorKind::usage, shown(file), "leaves no name for the output", "-o FILE gives one");
  if (name.empty())
    fail(ErrorKind::usage, shown(file), "does not end with " + options_.suffix,
         "-o FILE or --suffix SUF says what to call the output");
  return name;
}

std::unique_ptr<MemberOutput> DecodeRun::named_outputs(const std::string& file) {
  NamedOutputs::Place place;
  place.folder = options_.output_dir;
  if (twins_.contains(file)) place.inner = inner_path(beside(file, ""));
  if (options_.restore_name) place.names = NamedOutputs::Names::last_part;
  if (place.folder.empty()) place.folder = file == "-" ? "" : beside(file, "");
  else if (!options_.restore_name) place.stand_in = in_folder(bare_name(file), "");
  return std::make_unique<NamedOutputs>(app_, options_, targets_, place);
}

// For an archive without -o: several members become several files.
std::unique_ptr<MemberOutput> DecodeRun::output_of(const std::string& file, DecodeJob& job) {
  if (!options_.writes()) return std::make_unique<NoOutput>(app_);
  const bool named = options_.restore_name || !options_.output_dir.empty();
  std::optional<std::vector<std::string>> names;
  try {
    if (file != "-" && (!named || !options_.members.empty())) names = job.names();
  } catch (const Error& error) {
    if (!named) (void)target_of(file);  // a file with another suffix may be no archive at all
    // Decoding finds the damage again, and says which member it concerns.
    if (error.kind() != ErrorKind::data) throw;
  }
  if (names) check_choice(*names);
  if (named || (names && names->size() > 1)) return named_outputs(file);
  return std::make_unique<JoinedOutput>(app_, options_, targets_, target_of(file));
}

// Words that no member matches are found before anything is written.
void DecodeRun::check_choice(const std::vector<std::string>& names) const {
  MemberChoice choice(options_.members);
  for (std::size_t i = 0; i < names.size(); ++i) (void)choice.takes(names[i], i + 1);
  choice.require_all_met();
}

void DecodeRun::decode(const std::string& file) {
  DecodeJob job({app_, options_, models_}, file);
  job.open();
  const std::unique_ptr<MemberOutput> own = joined_ == nullptr ? output_of(file, job) : nullptr;
  if (app_.dry_run()) {
    if (own != nullptr) own->check(job.names().value_or(std::vector<std::string>()));
    return;
  }
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
      options_.list && !app_.dry_run() ? list(file) : decode(file);
    } catch (const Error& error) {
      // Errors in an archive name a place in it, not its file.
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

void DecodeRun::run() {
  if (options_.writes() && !options_.output.empty())
    joined_ = std::make_unique<JoinedOutput>(app_, options_, targets_, options_.output);
  if (options_.writes() && !options_.output_dir.empty()) find_twins();
  for (const std::string& file : operands_.files) act_or_tell(file);
  if (app_.dry_run())
    return app_.say("would decode " + std::to_string(operands_.files.size()) + " archives");
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
