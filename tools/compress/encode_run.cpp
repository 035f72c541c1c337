#include "libcore/base/error.hpp"
#include "tools/common/app.hpp"
#include "tools/compress/coding_model.hpp"
#include "tools/compress/encode_job.hpp"
#include "tools/compress/names.hpp"
#include "tools/compress/runs.hpp"
#include "tools/compress/summary.hpp"

namespace logpx::compress {
namespace {

class EncodeRun {
 public:
  EncodeRun(App& app, const EncodeOptions& options)
      : app_(app),
        options_(options),
        operands_(operands_of(app, options)),
        inputs_(app, options),
        targets_(app) {}
  void run();

 private:
  void open_model();
  [[nodiscard]] std::string target_of(const std::string& file) const;
  void make_or_tell(const std::vector<std::string>& files, const std::string& target);
  void report();

  App& app_;
  const EncodeOptions& options_;
  const Operands operands_;
  const EncodeInputs inputs_;
  Targets targets_;
  Coding coding_;
  Figures figures_;
};

void EncodeRun::open_model() {
  if (!options_.needs_model()) return;
  const ItemSample sample = [this](const ModelCodec& codec, const archive::CodingUnits& units,
                                   std::int64_t items) {
    try {
      return inputs_.sample(operands_.files, codec, units, items);
    } catch (const Error&) {
      return std::vector<std::uint8_t>();
    }
  };
  try {
    coding_ = coding_for_encoder(operands_.model, options_, sample, app_.workers());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || is_hdf5(operands_.model)) throw;
    throw error.with_hint("the first operand is the model; --fallback-only codes without one");
  }
}

std::string EncodeRun::target_of(const std::string& file) const {
  if (!options_.output.empty()) return options_.output;
  if (file == "-") return "-";
  const std::string name = options_.dataset ? beside(file, dataset_file_name(file)) : file;
  return in_folder(name + options_.suffix, options_.output_dir);
}

void EncodeRun::make_or_tell(const std::vector<std::string>& files, const std::string& target) {
  try {
    figures_ +=
        EncodeJob({app_, options_, operands_, inputs_, coding_, targets_}, files, target).run();
  } catch (const Error& error) {
    if (operands_.files.size() == files.size()) throw;
    app_.failed(error);
  }
}

// A model that no archive needs is not named.
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
  const std::vector<std::string>& files = operands_.files;
  if (!options_.output.empty() || (files.size() == 1 && files.front() == "-")) {
    make_or_tell(files, target_of(files.front()));
    return report();
  }
  for (const std::string& file : files) {
    if (file.ends_with(options_.suffix) && app_.overwrite() == Overwrite::refuse) {
      app_.warn(file + ": already ends with " + options_.suffix + ", skipped; --force codes it");
      continue;
    }
    make_or_tell({file}, target_of(file));
  }
  report();
}

}  // namespace

void run_encode(App& app, EncodeOptions& options) {
  if (options.selftest) return app.print(selftest_text());
  require_numerics();
  EncodeRun(app, options).run();
}

}  // namespace logpx::compress
