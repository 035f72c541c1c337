#include "tools/sessions/judge_input.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace logpx {

JudgeInput::JudgeInput(App& app, const FeatureOptions& options)
    : app_(app), options_(options), source_(app, options) {
  if (options.extracts()) return;
  for (const char* option : {"--rows", "--limit", "--key", "--weights"})
    if (is_given(app.fields(), option)) fail(ErrorKind::usage, option, "needs --extractor");
}

FeatureSet JudgeInput::open(const std::string& operand, const std::string& role) {
  if (!options_.extracts()) return made_before(operand, role);
  if (!holds_statistics(operand)) return extracted(operand, role);
  FeatureSet set = made_before(operand, role);
  source_.require_comparable(set.info, set.name);
  return set;
}

FeatureSet JudgeInput::made_before(const std::string& path, const std::string& role) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown))
    fail(ErrorKind::data, path, "is a folder, and features of what it holds are compared",
         "--extractor random-conv:1:64 for pictures");
  FeatureSet set = read_feature_set(path);
  FileRecord record{.role = role,
                    .path = path,
                    .kind = set.kind,
                    .bytes = {},
                    .content_hash = set.content_hash,
                    .provenance = set.provenance};
  if (set.bytes > 0) record.bytes = set.bytes;
  app_.add_input(std::move(record));
  return set;
}

FeatureSet JudgeInput::extracted(const std::string& operand, const std::string& role) {
  const std::unique_ptr<FeatureStream> stream = source_.open(operand, role);
  FeatureSet set{.name = stream->name(), .kind = "features"};
  if (!app_.dry_run())
    for (FeatureRows rows; stream->next(rows);) {
      set.rows.insert(set.rows.end(), rows.features.begin(), rows.features.end());
      set.logits.insert(set.logits.end(), rows.logits.begin(), rows.logits.end());
    }
  set.info = stream->info();
  set.info.n = std::ssize(set.rows) / std::max<std::int64_t>(set.info.d, 1);
  if (!app_.dry_run()) check_rows(set);
  return set;
}

Json qmc_of(const FeatureSet& set) {
  const Json* const inputs = set.provenance.find("inputs");
  if (inputs == nullptr || !inputs->is_array()) return {};
  for (const Json& input : inputs->items()) {
    const Json* const provenance = input.find("provenance");
    const Json* const config = provenance != nullptr ? provenance->find("config") : nullptr;
    const Json* const qmc = config != nullptr ? config->find("qmc") : nullptr;
    if (qmc != nullptr) return *qmc;
  }
  return {};
}

}  // namespace logpx
