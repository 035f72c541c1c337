#include "tools/sessions/train_session.hpp"

#include "formats/checkpoint_file.hpp"
#include "formats/json/fields_json.hpp"
#include "formats/measure.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/onednn.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/vector_math.hpp"
#include "libcore/model/measured_as.hpp"
#include "libcore/train/kept_chunks.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/version.hpp"
#include "tools/store/model_store.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <new>

namespace logpx {
namespace {

// Everything besides settings and data that affects the last bits of a result.
Json numerics_fingerprint(const Numerics& numerics) {
  Json json = Json::object();
  if (numerics == repeatable_numerics) return json.set("det", std::int64_t{numerics_id});
  json.set("blas", blas_name()).set("blas_kernel", blas_kernel());
  json.set("vector_math", vec::backend()).set("onednn", onednn_version());
  if (numerics.product == Product::bf16) json.set("bf16", bf16_kernels());
  return json;
}

// "vae.h5" -> "vae" + suffix, with room for ".prev"; empty for a stream or a device.
std::string beside(const std::string& output, const std::string& suffix) {
  if (is_stream(output)) return "";
  const std::filesystem::path path(output);
  const std::size_t room = longest_name - suffix.size() - 5;
  return (path.parent_path() / fit_name(path.stem().string(), room)).string() + suffix;
}

// Whether changing a setting leaves all numbers of earlier steps as they are.
bool may_change(const std::string& key, const TrainOptions& options, const TrainingTask& task) {
  const bool length = key == "steps" || key == "epochs" || key == "samples_seen";
  if (length) return !options.schedule(1).needs_total() && !task.follows_length();
  return key == "patience" || key == "eval_every" || key == "on_nan";
}

// A rate is kept as text, which may have several spellings.
bool same_number(const SettingChange& change) {
  const auto before = parse_real(change.before), now = parse_real(change.now);
  return before && now && *before == *now;
}

// "prior 0839526e2f01 generator d6741eb988da"
std::string short_hashes(const std::string& given) {
  std::vector<std::string> words = split_text(given, ' ');
  for (std::string& word : words) word.resize(std::min<std::size_t>(word.size(), 12));
  return given.empty() ? "none" : join_text(words, " ");
}

SettingChange without_quotes(SettingChange change) {
  for (std::string* text : {&change.before, &change.now}) std::erase(*text, '"');
  return change;
}

// Refuses two options of which one would silently be ignored.
void refuse_two_lengths(const Fields& fields, const TrainOptions& options) {
  std::string first;
  for (const char* name : {"--steps", "--samples-seen", "--epochs"}) {
    if (!is_given(fields, name)) continue;
    if (!first.empty())
      fail(ErrorKind::usage, first, std::string("excludes ") + name, "leave one out");
    first = name;
  }
  if (first == "--epochs" && (options.steps || options.samples_seen))
    fail(ErrorKind::usage, first, "is overridden by the steps or samples that the settings ask for",
         "--steps N");
}

Json probe_json(const RateProbe& probe, double chosen) {
  Json values = Json::array();
  for (const auto& value : probe.values) values.push(value ? Json(*value) : Json());
  Json json = Json::object();
  json.set("steps", probe.steps).set("rates", Json::array_of(probe.rates)).set("values", values);
  return json.set("chosen", chosen);
}

}  // namespace

void TrainFiles::describe(Fields& f) {
  f.group("training");
  f.add("resume", resume, "go on from the checkpoint, if there is one")
      .about(
          "The result is that of a run that was never interrupted, byte for byte; without a "
          "checkpoint, training starts. Settings and data have to be those of before, but for the "
          "length of the run.")
      .external();
  f.add("force-resume", force_resume, "go on although settings have changed")
      .external()
      .rank(Rank::manual);
  f.add("checkpoint", checkpoint, "where to keep the checkpoint")
      .metavar("FILE")
      .writes({"h5"})
      .shows_default("OUTPUT as *.ckpt.h5")
      .external()
      .rank(Rank::manual);
  f.add("checkpoint-every", checkpoint_every, "how often to write it")
      .external()
      .rank(Rank::manual);
  f.add("log", log, "training history, a JSON object per line")
      .metavar("FILE")
      .writes({"jsonl"})
      .shows_default("OUTPUT as *.history.jsonl")
      .external()
      .rank(Rank::manual);
}

TrainSession::TrainSession(App& app, const TrainOptions& options, const TrainFiles& files,
                           std::string output)
    : app_(app),
      options_(options),
      files_(files),
      output_(std::move(output)),
      ranks_(join_ranks()) {
  refuse_two_lengths(app_.fields(), options_);
  if (files_.checkpoint.empty()) files_.checkpoint = beside(output_, ".ckpt.h5");
  if (files_.log.empty()) files_.log = beside(output_, ".history.jsonl");
  if (files_.force_resume) files_.resume = true;
  if (files_.resume && files_.checkpoint.empty())
    fail(ErrorKind::usage, "--resume", "needs --checkpoint FILE when the output is a stream");
}

TrainSession::~TrainSession() = default;

void TrainSession::run(const TrainingParts& parts) {
  parts_ = &parts;
  if (ranks_->size() == 1) return run_here(parts);
  try {
    run_here(parts);
  } catch (const Error& error) {
    ranks_->end_all(app_.say_error(error));  // other ranks may wait for us in a sum
  } catch (const std::bad_alloc&) {
    ranks_->end_all(app_.say_error({ErrorKind::io, "", "out of memory"}));
  }
}

void TrainSession::run_here(const TrainingParts& parts) {
  options_.refuse_unread(app_.fields(), parts.task.reads());
  check_ranks(parts);
  const bool first = ranks_->first();
  if (first)
    for (const std::string& note : parts.notes) app_.say(note);
  const bool found = !files_.checkpoint.empty() && std::filesystem::exists(files_.checkpoint);
  if (found && !files_.resume && app_.overwrite() == Overwrite::refuse)
    fail(ErrorKind::refused, files_.checkpoint, "is there from an earlier run",
         "--resume goes on from it, --force starts afresh");
  TrainingLoop loop(parts.task, options_, {app_.workers(), *ranks_}, loop_settings());
  if (app_.dry_run()) return say_plan(loop, parts);
  std::int64_t history_bytes = 0;
  if (found && files_.resume) {
    const CheckpointFile file(files_.checkpoint);
    restore(loop, file, parts);
    history_bytes = file.head().history_bytes;
  }
  if (ranks_->size() > 1) ranks_->require_same("checkpoint", std::to_string(saved_step_));
  if (first) open_history(history_bytes);
  progress_ = app_.progress("step", static_cast<double>(loop.total_steps()));
  try {
    const TrainingResult result = loop.run();
    progress_.reset();
    const std::vector<std::string> concerns =
        parts.task.concerns(loop.weights(), app_.workers(), *ranks_);
    {
      const ComputedBy how(options_.numerics());
      parts.task.finished(loop.weights(), app_.workers());
    }
    if (!first) end_other_rank();
    judge(result, concerns, parts);
    write_output(loop, parts);
    report(result, loop, parts);
  } catch (const Interrupted&) {
    progress_.reset();
    const std::string kept = last_checkpoint();
    if (first)
      app_.say(kept.empty() ? "stopped without a checkpoint"
                            : "stopped at " + kept + "; --resume goes on from there");
    ranks_.reset();  // all ranks end here together
    throw;
  }
}

LoopSettings TrainSession::loop_settings() {
  LoopSettings settings{.seed = app_.rng().seed(),
                        .memory = static_cast<std::int64_t>(app_.memory()),
                        .checkpoint_every = files_.checkpoint_every};
  if (!ranks_->first()) return settings;
  settings.sink = this;
  settings.foresee = [this](const TrainingForecast& ahead) { say_forecast(ahead); };
  return settings;
}

void TrainSession::check_ranks(const TrainingParts& parts) {
  if (ranks_->size() == 1) return;
  ranks_->require_same("training data", parts.data_hash);
  ranks_->require_same("given model", parts.given_hash);
  ranks_->require_same("settings", settings_json(app_.fields()).dump(-1));
  ranks_->require_same("version", std::string(version()) + ' ' + commit());
  ranks_->require_same("numerics", numerics_fingerprint(options_.numerics()).dump(-1));
  const RowChunks chunks = chunks_of(parts.task);
  ranks_->require_same("memory for rows",
                       std::to_string(chunks.rows) + ' ' + std::to_string(chunks.held));
}

void TrainSession::refuse_changes(const CheckpointFile& file, const TrainingParts& parts) {
  std::vector<std::string> refused, taken;
  const auto note = [](const SettingChange& change) {
    return change.key + ' ' + change.before + " -> " + change.now;
  };
  for (SettingChange& change : settings_changes(app_.fields(), file.head().settings)) {
    change = without_quotes(std::move(change));
    if (same_number(change)) continue;
    (may_change(change.key, options_, parts.task) ? taken : refused).push_back(note(change));
  }
  const CheckpointHead& head = file.head();
  const auto compare = [&](const std::string& what, const std::string& before,
                           const std::string& now) {
    if (before != now) refused.push_back(note({what, before, now}));
  };
  Fields model;
  parts.model.describe(model);
  for (SettingChange& change : settings_changes(model, head.config)) {
    change = without_quotes(std::move(change));
    const bool said = std::ranges::find(refused, note(change)) != refused.end();
    if (!said) refused.push_back("model's " + note(change));
  }
  compare("data", head.data_hash.substr(0, 12), parts.data_hash.substr(0, 12));
  compare("given model", short_hashes(head.given_hash), short_hashes(parts.given_hash));
  if (!std::ranges::any_of(refused, [](const auto& text) { return text.starts_with("numerics "); }))
    compare("numerics of the machine", head.numerics.dump(-1),
            numerics_fingerprint(options_.numerics()).dump(-1));
  compare("version", head.code_version, version());
  for (const std::string& change : taken) app_.detail("changed since the checkpoint: " + change);
  if (refused.empty()) return;
  if (!files_.force_resume)
    fail(ErrorKind::refused, file.name(), "does not match this run: " + join_text(refused, "; "),
         "--force-resume goes on all the same; --force without --resume starts afresh");
  for (const std::string& change : refused) app_.warn("resumed although changed: " + change);
}

void TrainSession::restore(TrainingLoop& loop, const CheckpointFile& file,
                           const TrainingParts& parts) {
  if (file.head().family != parts.model.info().family)
    fail(ErrorKind::data, file.name(),
         "is a checkpoint of " + file.head().family + ", expected " + parts.model.info().family);
  refuse_changes(file, parts);
  Parameters parameters = file.parameters();
  std::vector<NamedTensor> slots = file.slots(), state = file.state();
  const CheckpointHead& head = file.head();
  try {
    loop.restore({.seed = head.seed,
                  .step = head.step,
                  .epoch = head.epoch,
                  .samples = head.samples,
                  .seconds = files_.log.empty() ? 0 : last_seconds(files_.log, head.history_bytes),
                  .raw = refs_of(parameters.raw, file.name()),
                  .ema = refs_of(parameters.ema, file.name()),
                  .slots = refs_of(slots, file.name()),
                  .state = refs_of(state, file.name())});
  } catch (const Error& error) {
    throw error.within(file.name());
  }
  saved_step_ = head.step;
  app_.detail("going on from " + last_checkpoint());
}

void TrainSession::open_history(std::int64_t bytes) {
  if (files_.log.empty()) return;
  if (!files_.resume) OutputFile::check_target(files_.log, app_.overwrite());
  history_.emplace(files_.log, bytes, facts_of_history(parts_->model));
}

void TrainSession::save(const Checkpoint& from) {
  if (files_.checkpoint.empty()) return;
  CheckpointHead head;
  head.family = parts_->model.info().family;
  head.config = config_of(parts_->model);
  head.settings = settings_json(app_.fields());
  head.numerics = numerics_fingerprint(options_.numerics());
  head.data_hash = parts_->data_hash;
  head.given_hash = parts_->given_hash;
  head.code_version = version();
  head.seed = from.seed;
  head.step = from.step;
  head.epoch = from.epoch;
  head.samples = from.samples;
  head.history_bytes = history_ ? history_->sync() : 0;
  write_checkpoint(
      files_.checkpoint, head,
      {{views_of(from.raw), views_of(from.ema)}, views_of(from.slots), views_of(from.state)},
      app_.provenance());
  saved_step_ = from.step;
}

void TrainSession::append(const HistoryLine& line) {
  if (history_) history_->append(line);
  std::string text = "step " + std::to_string(line.step) + ", epoch " + four_digits(line.epoch);
  for (const auto& [name, value] : line.values) text += ", " + name + ' ' + four_digits(value);
  app_.detail(text);
}

void TrainSession::show(const TrainingProgress& now) {
  const auto note = [&] {
    return "epoch " + four_digits(now.epoch) + '/' + four_digits(now.epochs) + "  loss " +
           four_digits(now.loss) + (now.rate ? "  lr " + four_digits(*now.rate) : "") + "  " +
           four_digits(1000 * now.step_seconds) + " ms/step";
  };
  try {
    progress_->update(static_cast<double>(now.step), note());
  } catch (const Interrupted&) {
    // The loop sees the signal after its next step, and saves first.
  }
}

std::string TrainSession::last_checkpoint() const {
  if (saved_step_ < 0) return "";
  return files_.checkpoint + ", step " + std::to_string(saved_step_);
}

void TrainSession::write_output(TrainingLoop& loop, const TrainingParts& parts) {
  OutputFile out(output_, app_.overwrite());
  const std::string hash = save_model(out, parts.model, loop.checkpoint().ema, app_.provenance());
  out.commit();
  app_.add_output({.role = "model",
                   .path = output_,
                   .kind = "model",
                   .bytes = out.bytes(),
                   .content_hash = hash,
                   .provenance = {}});
}

void TrainSession::report(const TrainingResult& result, const TrainingLoop& loop,
                          const TrainingParts& parts) {
  Json terms = Json::object(), metrics = Json::object();
  for (const auto& [name, value] : result.terms) terms.set(name, value);
  for (const auto& [name, value] : result.metrics) metrics.set(name, value);
  Json& json = app_.result();
  json.set("family", parts.model.info().family);
  const MeasuredAs measured = measured_as(parts.model.info());
  add_measure(json, measured);
  json.set("parameters", parts.task.params().elements());
  json.set("stopped", result.stopped).set("steps", result.steps).set("epochs", result.epochs);
  json.set("samples_seen", result.samples).set("skipped_steps", result.skipped);
  json.set("shards", loop.shards()).set("terms", terms).set("metrics", metrics);
  json.set("planned_bytes", loop.memory_plan().total());
  if (!reproducible_build()) json.set("peak_rss_bytes", peak_memory_bytes());
  if (const auto probe = loop.rate_probe()) json.set("lr_probe", probe_json(*probe, result.rate));
  json.set("weights_of_step", result.kept_step);
  if (result.best_step >= 0)
    json.set("best", Json::object().set("metric", result.best).set("step", result.best_step));
  std::string text = output_ + ": " + std::to_string(result.steps) + " steps";
  if (!result.metrics.empty())  // the deciding one; the others are in report and history
    text += ", " + result.metrics[0].first + ' ' + four_digits(result.metrics[0].second) + " (" +
            measured.text() + ')';
  app_.say(text + ", " + human_seconds(result.seconds));
}

// Warns the user of what to know before using the model.
void TrainSession::judge(const TrainingResult& result, const std::vector<std::string>& concerns,
                         const TrainingParts& parts) {
  if (!result.declined) {
    for (const std::string& concern : concerns) app_.warn(concern);
    return app_.next(parts.next);
  }
  const auto& [name, value] = result.metrics[0];
  app_.warn(name + " ended at " + four_digits(value) + ", worse than the " +
            four_digits(result.first_metric) + " that training began with: the model is of no use" +
            (parts.task.reads().rate ? "; try a smaller --lr" : ""));
}

// Only rank 0 writes files and messages.
void TrainSession::end_other_rank() {
  ranks_.reset();
  std::_Exit(0);
}

}  // namespace logpx
