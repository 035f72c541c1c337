// Samples, quantiles and evenly spread points of a model's prior, or of any density on an interval,
// by the inverse of distribution functions.   [KAEM sec. 2.4.3]
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/eval/inverse_samples.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/inverse_input.hpp"
#include "tools/sessions/inverse_output.hpp"
#include "tools/sessions/prior_samples.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

using namespace logpx;

namespace {

// How many z are made before they are written, and on how many errors are measured.
constexpr std::int64_t numbers_at_once = 1 << 22, numbers_measured = 1 << 18, most_measured = 4096;

struct Options {
  std::string output, format = "auto";
  PriorInput input;
  DensityInput density;
  ExtrasChoice extras;
  UniformChoice uniforms;
  InversionChoice inversion;

  void describe(Fields& f) {
    input.describe_model(f);
    describe_inverse_output(f, output, format);
    density.describe(f);
    uniforms.describe(f);
    inversion.describe(f);
    const Condition table{[this] { return !density.path.empty(); },
                          "--density, whose samples are numbers z"};
    extras.describe(f, table);
    input.describe_weights(f);
    f.find_option("--weights")->unless(table);
  }
  void check(App& app) const {
    if (input.model.empty() && density.path.empty())
      fail(ErrorKind::usage, "MODEL", "expected a model, or --density and a table");
    if (!input.model.empty() && !density.path.empty())
      fail(ErrorKind::usage, "--density", "excludes a MODEL: samples are of one or of the other");
    refuse_unread(app.fields(), app.fields());
    extras.check(app);
  }
};

// The source of samples, a table or a model, and how they are written.
struct Source {
  std::optional<DensitySource> table;
  std::optional<PriorSamples> prior;
  std::string table_hash;

  [[nodiscard]] const InverseSource& numbers() const {
    if (prior) return prior->source();
    return *table;
  }
  [[nodiscard]] InverseLayout layout(std::int64_t n) const {
    if (prior) return prior->layout(n);
    return {.n = n, .family = "density", .source_hash = table_hash};
  }
  [[nodiscard]] SampleExtras extras(const InverseSamples& samples) const {
    return prior ? prior->extras(samples) : SampleExtras{};
  }
};

// Returns the seconds that preparing the inversion took, without reading the file.
double open_source(App& app, const Options& o, Source& source) {
  if (!o.input.model.empty()) {
    OpenPrior open = o.input.open(app);
    const double start = wall_seconds();
    source.prior.emplace(app, std::move(open), o.extras, o.inversion.options(1));
    return wall_seconds() - start;
  }
  const OpenDensity open = o.density.open(app);
  source.table_hash = open.hash;
  const double start = wall_seconds();
  source.table.emplace(open.density, o.inversion.options(open.segments));
  return wall_seconds() - start;
}

struct Drawn {
  double seconds = 0, u_error = 0;
};

// Draws the wanted samples and hands them to the output in stretches.
Drawn draw(App& app, const Source& source, const ChosenNumbers& numbers, InverseOutput& output) {
  InverseSampler sampler(source.numbers(), *numbers.points, app.workers());
  const std::int64_t each = sampler.numbers_per_sample();
  SpreadSamples measured(numbers.begin, numbers.end,
                         std::clamp<std::int64_t>(numbers_measured / each, 1, most_measured));
  const auto progress = app.progress("sample", static_cast<double>(numbers.end - numbers.begin));
  const std::int64_t stretch = std::max<std::int64_t>(numbers_at_once / each, 1);
  Drawn drawn;
  for (std::int64_t begin = numbers.begin; begin < numbers.end; begin += stretch) {
    progress->update(static_cast<double>(begin - numbers.begin));
    const double start = wall_seconds();
    const InverseSamples samples = sampler.draw(begin, std::min(begin + stretch, numbers.end));
    drawn.seconds += wall_seconds() - start;
    measured.keep(samples);
    output.append(samples, source.extras(samples));
  }
  drawn.u_error = measured.u_error(source.numbers());
  return drawn;
}

void run(App& app, Options& o) {
  o.check(app);
  Source source;
  const double setup = open_source(app, o, source);
  const ChosenNumbers numbers = o.uniforms.choose(app, source.numbers().uniforms());
  const std::int64_t n = numbers.end - numbers.begin;
  if (o.inversion.method == Inversion::nodes)
    app.warn("--its nodes takes partial sums of a rule for F at its nodes: for comparison only");
  if (app.dry_run()) return app.say("would write " + std::to_string(n) + " samples to " + o.output);
  const auto output = open_inverse_output(app, "output", source.layout(n));
  const Drawn drawn = draw(app, source, numbers, *output);
  app.add_output(output->finish());

  Json& result = app.result();
  result.set("n", n).set("method", o.inversion.word()).set("qmc", numbers.kind);
  if (!reproducible_build())
    result.set("seconds", drawn.seconds)
        .set("samples_per_second", static_cast<double>(n) / std::max(drawn.seconds, 1e-9))
        .set("setup_seconds", setup);
  result.set("u_error_max", drawn.u_error);
  const auto [low, high] = source.numbers().domain();
  result.set("domain_min", low).set("domain_max", high);
  app.say(std::to_string(n) + " samples by " + o.inversion.word() + ", u-error " +
          four_digits(drawn.u_error) + " -> " + (o.output == "-" ? "stdout" : o.output));
}

const ToolSpec spec = {
    .name = "sample-its",
    .purpose = "draw from a model's prior, or any density, by inverse transform",
    .usage = {"MODEL -o SAMPLES.csv|.npy|.h5 [-n N] [options]",
              "--density TABLE -o SAMPLES.csv|.npy|.h5 [-n N] [options]"},
    .examples = {{"sample-its k.h5 -n 64 --decode -o s.h5", "samples z, and what they decode to"},
                 {"sample-its --density p.csv -n 1e6 -o z.npy", "a million exact samples"},
                 {"sample-its --density p.csv --qmc sobol -n 4096 -o z.csv", "evenly spread ones"},
                 {"sample-its --density p.csv --u-file u.csv -o z.csv",
                  "quantiles of given numbers"},
                 {"sample-its --density h.csv --histogram -o - | head", "from counts in bars"}},
    .without_effect = {"memory"},
    .compute_facts = compute_facts};

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
