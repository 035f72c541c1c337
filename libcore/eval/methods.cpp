#include "libcore/eval/methods.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/eval/chains.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx {
namespace {

// Delegates to a plan, and measures the noise of its bound by scoring twice.
class WithNoise final : public ScoringPlan {
 public:
  explicit WithNoise(std::unique_ptr<ScoringPlan> plan) : plan_(std::move(plan)) {}

  void describe(Fields& fields) override { plan_->describe(fields); }
  void settle() override { plan_->settle(); }
  [[nodiscard]] std::int64_t joined_rows(std::int64_t rows) const override {
    return plan_->joined_rows(rows);
  }
  [[nodiscard]] std::int64_t draws() const override { return plan_->draws(); }
  [[nodiscard]] ReportedKnobs reported() const override { return plan_->reported(); }
  [[nodiscard]] std::vector<std::string> doubts(const Scores::Columns& facts) const override {
    return plan_->doubts(facts);
  }
  [[nodiscard]] std::vector<FactCurve> curves() const override { return plan_->curves(); }
  [[nodiscard]] std::vector<DrawnCurve> drawn(const Scores::Columns& tallies) const override {
    return plan_->drawn(tallies);
  }
  [[nodiscard]] Verdicts verdicts(const Scores::Columns& facts) const override {
    return plan_->verdicts(facts);
  }
  [[nodiscard]] Asides asides(std::int64_t examples, Rng rng, Workers& workers) const override {
    return plan_->asides(examples, rng, workers);
  }

  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override {
    Scores scores = plan_->score(examples, rng);
    const bool noisy = scores.kind != Bound::exact && scores.kind != Bound::lower_bound;
    if (!noisy || !scores.mc_std_error.empty()) return scores;
    // Two estimates of variance s^2 differ by 2 s^2 in the mean square.
    const Scores again = plan_->score(examples, own_generator(rng, Stream::evaluation, 0xffffffff));
    for (std::size_t i = 0; i < scores.nats.size(); ++i)
      scores.mc_std_error.push_back(std::abs(scores.nats[i] - again.nats[i]) / std::numbers::sqrt2);
    return scores;
  }

 private:
  std::unique_ptr<ScoringPlan> plan_;
};

class CoderScoring final : public ScoringPlan {
 public:
  explicit CoderScoring(std::shared_ptr<const ModelCodec> codec)
      : codec_(std::move(codec)), plan_(codec_->plan()) {}

  void describe(Fields& fields) override { plan_->describe(fields); }
  void settle() override {
    Workers alone(1);
    plan_->settle({}, alone);
    plan_->require_own_scores();
    scheme_ = plan_->scheme(alone);
  }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override {
    LOGPX_ASSERT(scheme_ != nullptr);
    Workers alone(1);
    return {.kind = plan_->kind(), .nats = coder_scores(*scheme_, *codec_, examples, rng, alone)};
  }

 private:
  std::shared_ptr<const ModelCodec> codec_;
  std::unique_ptr<CodingPlan> plan_;
  std::unique_ptr<codec::Scheme> scheme_;
};

bool is_among(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

bool serves(const Method& method, const Abilities& can) {
  return can.latents && method.serves(*can.latents);
}

}  // namespace

const std::vector<Method>& latent_methods() {
  static const std::vector<Method> all = {iwae_method(),       ais_method(), quadrature_method(),
                                          reciprocal_method(), ti_method(),  ss_method()};
  return all;
}

const Method* latent_method(const Abilities& can, Method::Use use) {
  const auto found = std::ranges::find(latent_methods(), use, &Method::use);
  return found != latent_methods().end() && serves(*found, can) ? &*found : nullptr;
}

std::vector<std::string> methods_of(const Abilities& can) {
  std::vector<std::string> names = can.methods();
  for (const Method& method : latent_methods())
    if (serves(method, can) && !is_among(names, method.name)) names.push_back(method.name);
  return names;
}

bool is_own_method(const Abilities& can, const std::string& method) {
  return is_among(can.methods(), method);
}

std::string method_for(const Abilities& can, const std::string& word) {
  const std::vector<std::string> methods = methods_of(can);
  if (methods.empty())
    fail(ErrorKind::usage, "", "this " + can.info().family + " cannot be scored");
  if (word == "auto") return methods.front();
  if (!is_among(methods, word))
    fail(ErrorKind::usage, "--method " + word,
         "does not work for this " + can.info().family + "; it takes " + join_text(methods, ", "));
  return word;
}

std::unique_ptr<ScoringPlan> scoring_plan(const Abilities& can, const std::string& method) {
  if (is_own_method(can, method)) return std::make_unique<WithNoise>(can.scoring(method));
  const auto found = std::ranges::find(latent_methods(), method, &Method::name);
  LOGPX_ASSERT(found != latent_methods().end() && serves(*found, can));
  return found->plan(can);
}

std::unique_ptr<ScoringPlan> coder_scoring(std::shared_ptr<const ModelCodec> codec) {
  return std::make_unique<WithNoise>(std::make_unique<CoderScoring>(std::move(codec)));
}

}  // namespace logpx
