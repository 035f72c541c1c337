#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/model/codec.hpp"
#include "tools/archives/coding_model.hpp"
#include "tools/archives/names.hpp"
#include "tools/archives/prime.hpp"
#include "tools/compress/encode_job.hpp"
#include "tools/compress/runs.hpp"
#include "tools/compress/summary.hpp"
#include "tools/frame/app.hpp"

namespace logpx::compress {
namespace {

class EncodeRun {
 public:
  EncodeRun(App& app, EncodeOptions& options)
      : app_(app),
        options_(options),
        operands_(operands_of(app, options)),
        files_(input_files(app, options, operands_)),
        inputs_(app, options),
        targets_(app) {
    if (!operands_.model.empty()) targets_.protect(operands_.model);
    if (!options.prime.empty()) targets_.protect(options.prime);
    for (const InputFile& file : files_) targets_.protect(file.path);
  }
  void run();

 private:
  void open_model();
  void open_prime();
  void keep_knobs();
  void make_or_tell(const std::vector<InputFile>& files, const std::string& target);
  void make_each();
  void report();

  App& app_;
  EncodeOptions& options_;
  const Operands operands_;
  const std::vector<InputFile> files_;
  EncodeInputs inputs_;
  Targets targets_;
  Coding coding_;
  Figures figures_;
};

void EncodeRun::open_model() {
  if (!options_.store) coding_.parameters.units.effort = options_.effort;
  if (operands_.model.empty()) return;
  const ItemSample sample = [this](const ModelCodec& codec, const archive::CodingUnits& units,
                                   std::int64_t items) {
    try {
      return inputs_.sample(files_, codec, units, items);
    } catch (const Error&) {
      return std::vector<std::uint8_t>();
    }
  };
  try {
    coding_ = coding_for_encoder(operands_.model, options_, sample, app_.workers());
    coding_.parameters.units.effort = options_.effort;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || is_hdf5(operands_.model)) throw;
    throw error.with_hint(hint_without_model(app_, options_));
  }
  keep_knobs();
}

void EncodeRun::open_prime() {
  take_prime(coding_, options_.prime);
  if (coding_.prime.empty() || !options_.embed_model || app_.dry_run()) return;
  try {
    embed_prime(coding_, {.methods = Methods::fallback,
                          .verify = options_.verify ? Verify::on : Verify::off,
                          .memory = coding_memory(app_)});
  } catch (const Error& error) {
    throw error.within(shown(options_.prime));
  }
}

// The report's config gives the settled knobs, as the archive does.
void EncodeRun::keep_knobs() {
  const auto plan = coding_.codec->plan();
  Fields knobs;
  plan->describe(knobs);
  for (const auto& [key, value] : coding_.parameters.settings.members())
    knobs.find_key(key)->read(value.string(), key, Origin::config);
  options_.knobs.keep(knobs);
  for (const std::string& doubt : plan->doubts()) app_.warn(operands_.model + ": " + doubt);
}

void EncodeRun::make_or_tell(const std::vector<InputFile>& files, const std::string& target) {
  try {
    figures_ += EncodeJob({app_, options_, inputs_, coding_, targets_}, files, target).run();
  } catch (const Error& error) {
    if (files_.size() == files.size()) throw;
    app_.failed(error);
  }
}

// Makes a separate archive for each file.
void EncodeRun::make_each() {
  for (const InputFile& file : files_) {
    if (file.path.ends_with(options_.suffix) && app_.overwrite() == Overwrite::refuse) {
      app_.warn(shown(file.path) + ": already ends with " + options_.suffix +
                ", skipped; --force codes it");
      continue;
    }
    make_or_tell({file}, file.target == "-" ? "-" : file.target + options_.suffix);
  }
}

// Does not name a model that no archive needs.
void EncodeRun::report() {
  Json& result = app_.result();
  result = figures_.json();
  result.set("model_identity", figures_.needs_model ? Json(coding_.identity) : Json());
  result.set("verified", options_.verify);
  if (figures_.needs_model) {
    result.set("bound_kind", word_of(coding_.kind));
    app_.add_input({.role = "model",
                    .path = operands_.model,
                    .kind = "model",
                    .bytes = {},
                    .content_hash = coding_.content_hash,
                    .provenance = {}});
  }
  tell_machine(app_);
}

void EncodeRun::run() {
  open_model();
  open_prime();
  if (!options_.output.empty()) make_or_tell(files_, options_.output);
  else make_each();
  inputs_.tell();
  report();
}

}  // namespace

void run_encode(App& app, EncodeOptions& options) {
  if (options.selftest) return app.print(selftest_text());
  require_numerics();
  EncodeRun(app, options).run();
}

}  // namespace logpx::compress
