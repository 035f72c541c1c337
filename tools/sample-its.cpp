// Samples, quantiles and evenly spread points of any density on an interval, by the inverse of its
// distribution function.   [KAEM sec. 2.4.3]
#include "libcore/base/clock.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/eval/inverse_samples.hpp"
#include "tools/common/app.hpp"
#include "tools/common/compute_facts.hpp"
#include "tools/common/inverse_input.hpp"
#include "tools/common/inverse_output.hpp"
#include "tools/common/progress.hpp"
#include "tools/common/shared_options.hpp"

#include <algorithm>
#include <string>

using namespace logpx;

namespace {

constexpr std::int64_t samples_at_once = std::int64_t{1} << 18;

struct Options {
  std::string output, format = "auto";
  DensityInput density;
  UniformChoice uniforms;
  InversionChoice inversion;

  void describe(Fields& f) {
    describe_output(f, output, "where to write the samples", {{"csv", "npy", "h5"}, "format"})
        .required();
    f.add_word("format", format, {"auto", "csv", "npy", "h5"},
               "z alone as CSV or npy, or samples (logpx-samples(5)) with their numbers u")
        .shows_default("by suffix; csv for stdout");
    density.describe(f);
    uniforms.describe(f);
    inversion.describe(f);
  }
};

struct Drawn {
  double seconds = 0, u_error = 0;
};

// Draws what is wanted of a source and hands it to the output, some at a time.
Drawn draw(App& app, const InverseSource& source, const ChosenNumbers& numbers,
           InverseOutput& output) {
  InverseSampler sampler(source, *numbers.points, app.workers());
  SpreadSamples measured(numbers.begin, numbers.end);
  const auto progress = app.progress("sample", static_cast<double>(numbers.end - numbers.begin));
  Drawn drawn;
  for (std::int64_t begin = numbers.begin; begin < numbers.end; begin += samples_at_once) {
    progress->update(static_cast<double>(begin - numbers.begin));
    const double start = wall_seconds();
    const InverseSamples samples =
        sampler.draw(begin, std::min(begin + samples_at_once, numbers.end));
    drawn.seconds += wall_seconds() - start;
    measured.keep(samples);
    output.append(samples);
  }
  drawn.u_error = measured.u_error(source);
  return drawn;
}

void run(App& app, Options& o) {
  const OpenDensity open = o.density.open(app);
  const double start = wall_seconds();
  const DensitySource source(open.density, o.inversion.options(open.segments));
  const double setup = wall_seconds() - start;
  const ChosenNumbers numbers = o.uniforms.choose(app, source.uniforms());
  const std::int64_t n = numbers.end - numbers.begin;
  if (o.inversion.method == Inversion::nodes)
    app.warn("--its nodes takes partial sums of a rule for F at its nodes: for comparison only");
  if (app.dry_run()) return app.say("would write " + std::to_string(n) + " samples to " + o.output);
  const auto output = open_inverse_output(app, "output",
                                          {.n = n,
                                           .uniforms = source.uniforms(),
                                           .shape = source.shape(),
                                           .family = "density",
                                           .source_hash = open.hash});
  const Drawn drawn = draw(app, source, numbers, *output);
  app.add_output(output->finish());

  Json& result = app.result();
  result.set("n", n).set("method", o.inversion.word()).set("qmc", numbers.kind);
  const double rate = static_cast<double>(n) / std::max(drawn.seconds, 1e-9);
  if (!reproducible_build())
    result.set("seconds", drawn.seconds)
        .set("samples_per_second", rate)
        .set("setup_seconds", setup);
  result.set("u_error_max", drawn.u_error);
  result.set("domain_min", source.domain().first).set("domain_max", source.domain().second);
  app.say(std::to_string(n) + " samples by " + o.inversion.word() + ", u-error " +
          four_digits(drawn.u_error) + " -> " + (o.output == "-" ? "stdout" : o.output));
}

const ToolSpec spec = {
    .name = "sample-its",
    .purpose = "draw from a density on an interval by inverse transform",
    .usage = {"--density TABLE -o SAMPLES.csv|.npy|.h5 [-n N] [options]"},
    .examples = {{"sample-its --density p.csv -n 1e6 -o z.npy", "a million exact samples"},
                 {"sample-its --density p.csv --qmc sobol -n 4096 -o z.csv", "evenly spread ones"},
                 {"sample-its --density p.csv --u-file u.csv -o z.csv",
                  "quantiles of given numbers"},
                 {"sample-its --density h.csv --histogram -o - | head", "from counts in bars"}},
    .without_effect = {"memory"},
    .compute_facts = compute_facts};

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
