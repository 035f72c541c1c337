// Features of pictures and other rows, as judges of samples compare them; or only their mean and
// covariance.   [eval/README 10.1; logpx-features(5)]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/judge/moments.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/extractor_store.hpp"
#include "tools/sessions/feature_join.hpp"

using namespace logpx;

namespace {

struct Options {
  std::vector<std::string> data;
  std::string output, save_basis;
  bool stats_only = false;
  FeatureOptions features;

  void describe(Fields& f) {
    f.add("data", data,
          "datasets, samples, folders of pictures, arrays (.npy, .npz, .csv), or features to join")
        .metavar("DATA")
        .positional()
        .required()
        .files("*/");
    describe_output(f, output, "where to write the features (logpx-features(5))", {{"h5"}})
        .required();
    f.add("stats-only", stats_only, "write only their mean and covariance");
    f.add("save-basis", save_basis, "also write what the extractor has learned (logpx-basis(5))")
        .metavar("PATH")
        .output()
        .writes({"h5"})
        .hidden_default();
    features.describe(f);
  }
};

std::string write_rows(App& app, OutputFile& out, FeatureJoin& all) {
  FeaturesWriter writer(out, all.info());
  all.read([&](const FeatureRows& rows) { writer.append(rows); });
  writer.note_source(all.info().source_hash);
  return writer.finish(app.provenance());
}

std::string write_statistics(App& app, OutputFile& out, FeatureJoin& all) {
  MomentSums sums(all.info().d, &app.workers());
  all.read([&](const FeatureRows& rows) { sums.append(rows.features); });
  if (sums.n() < 2) fail(ErrorKind::data, all.name(), "has one row, and a covariance needs two");
  const Moments moments = sums.finish();
  return write_feature_statistics(out, all.info(), moments.mean, moments.covariance,
                                  app.provenance());
}

void check(const App& app, const Options& o, const FeatureSource& source,
           const FeaturesInfo& info) {
  Extractor* const extractor = source.extractor();
  const bool learns = extractor != nullptr && !extractor->tensors().empty();
  if (!o.save_basis.empty() && !learns && !app.dry_run())
    fail(ErrorKind::usage, "--save-basis",
         "goes with an extractor that learns something, pca:K or classifier:D");
  const auto bytes = 2.0 * 8 * static_cast<double>(info.d) * static_cast<double>(info.d);
  if (o.stats_only && bytes > static_cast<double>(app.memory()))
    fail(ErrorKind::usage, "--stats-only",
         "takes " + human_bytes(static_cast<std::uint64_t>(bytes)) + " for " +
             std::to_string(info.d) + " features, and --memory is " + human_bytes(app.memory()));
}

void keep_basis(App& app, const Options& o, Extractor& extractor) {
  OutputFile out(o.save_basis, app.overwrite());
  const std::string hash = save_basis(out, extractor, app.provenance());
  out.commit();
  app.add_output({.role = "basis",
                  .path = o.save_basis,
                  .kind = "basis",
                  .bytes = out.bytes(),
                  .content_hash = hash,
                  .provenance = {}});
}

void run(App& app, Options& o) {
  FeatureSource source(app, o.features);
  FeatureJoin all(source, o.data);
  const FeaturesInfo& info = all.info();
  check(app, o, source, info);
  const std::string by = info.extractor.empty() ? "" : " by " + info.extractor;
  const std::string what = std::to_string(info.d) + " features" + by;
  if (app.dry_run()) return app.say("would write " + what + " to " + o.output);
  OutputFile out(o.output, app.overwrite());
  const std::string hash =
      o.stats_only ? write_statistics(app, out, all) : write_rows(app, out, all);
  out.commit();
  app.add_output({.role = "features",
                  .path = o.output,
                  .kind = "features",
                  .bytes = out.bytes(),
                  .content_hash = hash,
                  .provenance = {}});
  if (!o.save_basis.empty()) keep_basis(app, o, *source.extractor());
  app.result().set("n", info.n).set("d", info.d);
  app.result().set("extractor", by.empty() ? Json() : Json(info.extractor));
  if (info.classes > 0 && !o.stats_only) app.result().set("classes", info.classes);
  for (const auto& [fact, value] : source.fit_report().facts)
    app.result().set("fit_" + fact, value);
  app.say((o.stats_only ? "mean and covariance of " : "") + std::to_string(info.n) + " rows of " +
          what + " -> " + out.shown_name());
  app.next("inspect " + shell_word(o.output));
}

const ToolSpec spec = {
    .name = "extract-features",
    .purpose = "turn pictures or other rows into features to compare",
    .usage = {"DATA... -o FEATURES.h5 --extractor E [options]", "FEATURES.h5... -o ALL.h5"},
    .examples = {{"extract-features digits.h5 -o f.h5 --extractor random-conv:1:64",
                  "64 numbers a picture"},
                 {"extract-features digits.h5 -o f.h5 --extractor classifier:64 "
                  "--save-basis c.h5",
                  "what a classifier of these digits sees"},
                 {"extract-features fakes -o g.h5 --basis c.h5",
                  "the same, of a folder of pictures"},
                 {"extract-features digits.h5 -o m.h5 --extractor pixels --stats-only",
                  "mean and covariance"}},
    .compute_facts = compute_facts};

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
