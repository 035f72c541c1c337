// Draws from a model, and shows what it has learned: grids, lines and axes of its latent space,
// reconstructions and codes of data.   [AEVB sec. 5 and appendix A]
#include "formats/json/fields_json.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/sample_output.hpp"
#include "tools/sessions/sample_request.hpp"
#include "tools/store/model_store.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

using namespace logpx;

namespace {

constexpr double told_from = 60;     // seconds; longer runs are announced
constexpr double few_effective = 2;  // samples; fewer are warned of

struct Options {
  std::string model, output, format = "auto";
  SampleRequest request;
  Weights weights = Weights::best;

  void describe(Fields& f) {
    f.add("model", model, "a trained model (logpx-model(5))")
        .positional()
        .required()
        .metavar("MODEL")
        .files("*.h5 of model");
    describe_output(f, output, "where to write the samples (logpx-samples(5))",
                    {{"h5", "csv", "txt", "smi", "npy", "npz"}, "format"})
        .required();
    f.add_word("format", format,
               {{"auto", "by the suffix; on stdout CSV of a table that was CSV"},
                {"h5", "all that is known of the samples"},
                {"csv", "rows, as text"},
                {"txt", "texts, a line each"},
                {"smi", "molecules, as SMILES"},
                {"npy", "rows, as an array"},
                {"npz", "rows and labels, as arrays"}},
               "all that is known of the samples (h5), or their rows alone")
        .shows_default("by suffix; csv or h5 for stdout")
        .rank(Rank::manual)
        .external();
    request.describe(f);
    f.group("model");
    describe_weights(f, weights);
  }
};

LoadedModel open_model(App& app, const ModelFile& file, const Options& o,
                       std::optional<RequestedRows>& rows) {
  app.add_input({.role = "model",
                 .path = o.model,
                 .kind = "model",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  std::optional<OtherReading> other;
  if (o.request.binarise) other = {*o.request.binarise, rows->file->info()};
  LoadedModel loaded = load_model(file, o.weights, other);
  if (rows) o.request.fit(app, loaded.model->info(), *rows);
  return loaded;
}

// How many samples those are worth that were chosen by weight: the fewest at any step of each.
class EffectiveSamples {
 public:
  void add(const SampleChunk& chunk) {
    for (const SampleCode& code : chunk.codes)
      if (code.name == "ess") std::ranges::copy(code.values<float>(), std::back_inserter(each_));
  }
  void report(App& app) const {
    if (each_.empty()) return;
    const double count = static_cast<double>(each_.size()),
                 mean = std::accumulate(each_.begin(), each_.end(), 0.0) / count,
                 least = static_cast<double>(std::ranges::min(each_));
    app.result().set("ess_mean", mean).set("ess_least", least);
    const std::string told = "effective samples at the worst step: " + four_digits(mean) +
                             " on average, " + four_digits(least) + " at least";
    if (mean < few_effective) app.warn(told + "; more --particles come nearer to the model");
    else app.say(told);
  }

 private:
  std::vector<float> each_;
};

void write_samples(App& app, SampleMaker& maker, SampleOutput& output) {
  EffectiveSamples effective;
  const auto progress = app.progress("item", static_cast<double>(maker.items()));
  for (std::int64_t begin = 0; begin < maker.items(); begin += maker.stretch()) {
    progress->update(static_cast<double>(begin));
    const SampleChunk chunk =
        maker.make(begin, std::min(begin + maker.stretch(), maker.items()), app.workers());
    effective.add(chunk);
    output.append(chunk);
  }
  app.add_output(output.finish());
  effective.report(app);
}

std::string way_to_see(const DatasetInfo& info, const std::string& file) {
  if (info.content == Content::vector && info.dims() < 2) return "inspect " + file;
  std::string command = "view-samples " + file;
  if (info.content != Content::image && info.content != Content::vector) return command;
  if (info.content == Content::vector && info.dims() > 2) command += " --dims 0,1";
  return command + (info.has_labels ? " --labels" : "") + " -o sheet.png";
}

void run(App& app, Options& o) {
  o.request.check(app.fields());
  auto rows = open_requested(app, o.request);
  const ModelFile file(o.model);
  const LoadedModel loaded = open_model(app, file, o, rows);
  const auto maker = o.request.maker(loaded.can, rows, app.rng());
  const std::string kind = o.request.mode == SampleMode::encode ? "codes"
                           : maker->gives_means()               ? "means"
                                                                : "samples";
  const std::string what = std::to_string(maker->info().n) + ' ' + kind;
  if (const double seconds = maker->expected_seconds(app.workers()); seconds >= told_from)
    app.say("it will take about " + human_seconds(seconds));
  check_sample_output(app, *maker);
  if (app.dry_run()) return app.say("would write " + what + " to " + o.output);
  const auto output = open_sample_output(app, *maker,
                                         {.family = file.family(),
                                          .model_hash = file.content_hash(),
                                          .seed = app.rng().seed(),
                                          .sampler = settings_json(app.fields())});
  write_samples(app, *maker, *output);
  app.result().set("family", file.family()).set("made", kind).set("n", maker->info().n);
  app.result().set("weights", loaded.weights == Weights::ema ? "ema" : "raw");
  app.say(what + " -> " + (o.output == "-" ? "stdout" : o.output));
  if (sample_format(app, *maker) == "h5") app.next(way_to_see(maker->info(), shell_word(o.output)));
}

const ToolSpec spec = {
    .name = "sample-model",
    .purpose = "draw from a model, or look into its latent space",
    .usage = {"MODEL -o SAMPLES.h5|.csv|.npy [-n N] [options]",
              "MODEL -o SAMPLES.h5 MODE [options]"},
    .examples = {{"sample-model vae.h5 -n 64 -o - | view-samples - -o sheet.png", "64 draws, seen"},
                 {"sample-model vae2.h5 --manifold 20 -o grid.h5", "the plane of two latents"},
                 {"sample-model m.h5 -n 1000 -o rows.csv", "rows like those of a table, as CSV"},
                 {"sample-model vae.h5 --reconstruct digits.h5:test -o seen.h5",
                  "how good codes are"}},
    .without_effect = {"memory"},
    .compute_facts = compute_facts};

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
