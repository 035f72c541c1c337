#include "tools/common/evaluation_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "tools/common/shared_options.hpp"

#include <algorithm>

namespace logpx {
namespace {

// Who reads an option: methods by name, or another part of the tool.
struct Reader {
  const char* option;
  std::vector<std::string> parts;
};

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {
      {"--samples", {"elbo", "iwae", "is", "ti", "ss", "reciprocal"}},
      {"--chunk", {"elbo", "iwae", "is", "quadrature"}},
      {"--method", {"model"}},
      {"--limit", {"model", "gradients"}},
      {"--rows", {"model", "gradients"}},
      {"--weights", {"model", "gradients"}},
      {"--binarise", {"model", "gradients"}},
      {"--per-example", {"model"}},
      {"--det", {"model"}},
      {"--gap", {"model"}},
      {"--gap-draws", {"gap"}},
      {"--refine", {"gap"}},
      {"--refine-draws", {"gap"}},
      {"--refine-rate", {"gap"}},
      {"--ais-steps", {"ais"}},
      {"--ais-chains", {"ais"}},
      {"--ais-leapfrog", {"ais"}},
      {"--ais-accept", {"ais"}},
      {"--ais-from", {"ais"}},
      {"--ais-freeze", {"ais"}},
      {"--ais-reverse", {"ais"}},
      {"--nodes", {"quadrature"}},
      {"--quadrature-around", {"quadrature"}},
      {"--burn", {"reciprocal"}},
      {"--leapfrog", {"reciprocal"}},
      {"--fit", {"reciprocal"}},
      {"--fit-samples", {"reciprocal"}},
      {"--fit-shrink", {"reciprocal"}},
      {"--fit-repeats", {"reciprocal"}},
      {"--any-latent", {"reciprocal"}},
      {"--mu", {"toy"}},
      {"--sigma", {"toy"}},
      {"--a", {"toy"}},
      {"--offset", {"toy"}},
      {"--num", {"toy"}},
      {"--repeats", {"toy", "gradients"}},
  };
  return all;
}

}  // namespace

void EvaluationOptions::describe(Fields& f) {
  describe_operands(f);
  describe_methods(f);
  describe_evidence(f);
  describe_study(f);
}

void EvaluationOptions::describe_operands(Fields& f) {
  f.add("model", model, "a model, made by a training tool (logpx-model(5))")
      .positional()
      .metavar("MODEL")
      .files("*.h5 of model");
  f.add("data", data, "a dataset (logpx-dataset(5)); its split test, unless another is named")
      .positional()
      .metavar("DATASET[:SPLIT]")
      .files("*.h5 of dataset");
  f.group("data");
  rows.describe(f, "score");
  describe_weights(f, weights);
  describe_reading(f, binarise);
  f.group("output");
  f.add("per-example", per_example, "write log p(x) of every example: .h5, .csv, .jsonl; - is CSV")
      .metavar("PATH")
      .output()
      .writes({"csv", "h5", "jsonl"});
  f.add("compare", compare, "the difference of two such files, example by example")
      .metavar("A.h5,B.h5")
      .files("*.h5 of scores")
      .external();
}

void EvaluationOptions::describe_methods(Fields& f) {
  f.add("doctor", doctor,
        "say whether this machine has what the tools need, and stop (logpx doctor)")
      .rank(Rank::manual)
      .external()
      .stands_alone();
  f.group("method");
  f.add_word(
      "method", method.method,
      {"auto", "elbo", "iwae", "exact", "is", "ti", "ss", "ais", "ode", "quadrature", "reciprocal"},
      "how log p(x) is found; auto is the first that the model has");
  f.add("samples", samples, "noise draws, weights or orders per example")
      .at_least(1)
      .shows_default("the method's");
  f.add("chunk", method.chunk, "how many of them are held at a time; 0 is the method's own")
      .at_least(0)
      .rank(Rank::manual);
  f.add("det", method.det, "by the numbers that files are coded with (bits-back-encode)")
      .source("coding 1.1")
      .rank(Rank::manual);
  f.add("gap", gap, "split the distance from the bound to the evidence (ais, unless --method)");
  f.add("gap-draws", gaps.draws, "noise draws for the bounds of --gap")
      .at_least(1)
      .rank(Rank::manual);
  f.add("refine", gaps.refine.steps, "Adam steps on each example's q, for --gap")
      .at_least(1)
      .source("vae.md sec. 7")
      .rank(Rank::manual);
  f.add("refine-draws", gaps.refine.draws, "noise draws per such step")
      .at_least(1)
      .rank(Rank::manual);
  f.add("refine-rate", gaps.refine.rate, "their learning rate").range(0, 1).rank(Rank::manual);
}

void EvaluationOptions::describe_evidence(Fields& f) {
  static const WordsOf<Proposal> proposals = {{"prior", Proposal::prior},
                                              {"posterior", Proposal::posterior}};
  AisOptions& a = method.ais;
  f.group("annealed importance sampling");
  f.add("ais-steps", a.steps, "temperatures").range(1, 1 << 24).rank(Rank::manual);
  f.add("ais-chains", a.chains, "chains per example").range(1, 1 << 16).rank(Rank::manual);
  f.add("ais-leapfrog", a.leapfrog, "leapfrog steps per move").range(1, 10'000).rank(Rank::manual);
  f.add("ais-accept", a.accept, "acceptance that step sizes are adapted to")
      .range(0.05, 0.99)
      .rank(Rank::manual);
  f.add("ais-from", a.from, proposals, "where the chains begin").rank(Rank::manual);
  f.add("ais-freeze", a.freeze, "adapt step sizes in a pass of their own, on other noise")
      .rank(Rank::manual);
  f.add("ais-reverse", ais_reverse, "bracket the evidence of as many examples drawn from the model")
      .rank(Rank::manual);
  ReciprocalOptions& r = method.reciprocal;
  f.group("quadrature and the reciprocal estimator");
  f.add("nodes", method.nodes, "of quadrature, per latent dimension")
      .range(1, 512)
      .rank(Rank::manual);
  f.add("quadrature-around", around,
        {{"auto", Centre::best}, {"prior", Centre::prior}, {"posterior", Centre::posterior}},
        "where the nodes lie")
      .rank(Rank::manual);
  f.add("burn", r.burn, "moves of the chains before samples are kept")
      .at_least(0)
      .rank(Rank::manual);
  f.add("leapfrog", r.leapfrog, "leapfrog steps between samples")
      .range(1, 10'000)
      .rank(Rank::manual);
  f.add("fit", r.fit.kind,
        {{"gauss", FitKind::gauss}, {"diag", FitKind::diag}, {"kde", FitKind::kde}},
        "density fitted to the samples")
      .rank(Rank::manual);
  f.add("fit-samples", r.fit_samples, "samples that it is fitted to")
      .at_least(2)
      .rank(Rank::manual);
  f.add("fit-shrink", r.fit.shrink, "factor on its covariance").range(1e-3, 10).rank(Rank::manual);
  f.add("fit-repeats", r.repeats, "independent repeats, whose spread is the error")
      .range(1, 1000)
      .rank(Rank::manual);
  f.add("any-latent", r.any_latent, "allow 5 latent dimensions and more").rank(Rank::manual);
}

void EvaluationOptions::describe_study(Fields& f) {
  f.group("study");
  f.add("study", study, {{"none", Study::none}, {"gradient-variance", Study::gradient_variance}},
        "noise of gradient estimators: of (z - a)^2 + offset, or of MODEL on DATASET")
      .rank(Rank::manual);
  f.add("mu", toy.mu, "mean of z ~ N(mu, sigma^2)").range(-1e6, 1e6).rank(Rank::manual);
  f.add("sigma", toy.sigma, "its standard deviation").range(1e-6, 1e6).rank(Rank::manual);
  f.add("a", toy.a, "where f has its minimum").range(-1e6, 1e6).rank(Rank::manual);
  f.add("offset", toy.offset, "constant added to f").range(-1e6, 1e6).rank(Rank::manual);
  f.add("num", toy.num, "single estimates and running means to report")
      .at_least(1)
      .rank(Rank::manual);
  f.add("repeats", toy.repeats, "draws that variances are taken over")
      .at_least(2)
      .rank(Rank::manual);
}

MethodSettings EvaluationOptions::method_settings() const {
  MethodSettings settings = method;
  settings.samples = samples.value_or(0);
  if (gap && !settings.det && settings.method == "auto") settings.method = "ais";
  if (around != Centre::best)
    settings.around = around == Centre::prior ? Proposal::prior : Proposal::posterior;
  return settings;
}

void EvaluationOptions::check_operands() const {
  if (compares() && !(model.empty() && study == Study::none))
    fail(ErrorKind::usage, "--compare", "takes two files of --per-example and nothing else");
  if (compares() && compare.size() != 2)
    fail(ErrorKind::usage, "--compare",
         "takes two files, A.h5,B.h5; here are " + std::to_string(compare.size()));
  if (compares() || studies_toy()) return;
  if (model.empty()) fail(ErrorKind::usage, "", "missing MODEL", "elbo-eval MODEL DATASET");
  if (data.empty())
    fail(ErrorKind::usage, "", "missing DATASET", "elbo-eval " + model + " DATASET");
}

void EvaluationOptions::check_options(const Fields& fields, const std::string& name) const {
  std::vector<std::string> parts;
  if (compares()) parts = {"compare"};
  else if (study != Study::none) parts = {studies_toy() ? "toy" : "gradients"};
  else parts = {"model", name};
  if (method.det && (samples || method.chunk > 0))
    fail(ErrorKind::usage, "--det", "draws once, without --samples or --chunk");
  if (method.det && gap) fail(ErrorKind::usage, "--gap", "does nothing with --det");
  if (gap) parts.emplace_back("gap");
  if (gap && name == "elbo")
    fail(ErrorKind::usage, "--gap", "needs an evidence method, not the bound itself",
         "--method ais, iwae, quadrature or reciprocal");
  if (ais_reverse && !method.ais.freeze)
    fail(ErrorKind::usage, "--ais-reverse", "brackets nothing with --no-ais-freeze");
  for (const Reader& reader : readers()) {
    const Field* field = fields.find_option(reader.option);
    LOGPX_ASSERT(field != nullptr);
    const bool read = std::ranges::any_of(reader.parts, [&](const std::string& part) {
      return std::ranges::find(parts, part) != parts.end();
    });
    if (field->given() && !read)
      fail(ErrorKind::usage, reader.option,
           name.empty() ? "does nothing here" : "does nothing with --method " + name);
  }
}

}  // namespace logpx
