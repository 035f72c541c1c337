#include "libcore/families/arm/model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/arm/coding/codec.hpp"
#include "libcore/families/arm/sampling/sampling_plan.hpp"
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"

#include <numeric>
#include <utility>

namespace logpx::arm {
namespace {

constexpr std::int64_t numbers_at_once = 1 << 20, most_rows_at_once = 64;

Config settled(Config config, const DatasetInfo& data) {
  config.settle(data);
  return config;
}

// One of each dim, in the order in which they are stored, or one for all.
std::vector<std::int64_t> usual_groups(const Config& config, std::int64_t dims) {
  std::vector<std::int64_t> groups(config.has_groups() ? at(dims) : 0);
  if (config.orders == OrderKind::fixed) std::iota(groups.begin(), groups.end(), 0);
  return groups;
}

}  // namespace

ArmModel::ArmModel(Config config, const DatasetInfo& data, std::vector<std::int64_t> groups)
    : ParamModel(settled(std::move(config), data)),
      reader_(config_, data),
      stored_groups_(groups.empty() ? usual_groups(config_, data.dims()) : std::move(groups)) {
  info_ = reader_.model_info(data);
  info_.methods = {elbo_method, exact_method, iwae_method};
  info_.block = std::clamp<std::int64_t>(numbers_at_once / (data.dims() * reader_.levels()), 1,
                                         most_rows_at_once);
  const bool learned = config_.orders == OrderKind::learned,
             separate = config_.choice == ChoiceKind::separate;
  NetForm form{.options = config_.net,
               .extents = extents_of(data),
               .levels = reader_.levels(),
               .policy = config_.learns_policy(),
               .choice = learned && !separate};
  net_ = make_net(site() / "net", form);
  if (learned && separate) {
    form.options = config_.net.smaller();
    form.values = form.policy = false;
    form.choice = true;
    choice_ = make_net(site() / "order", form);
  }
  if (config_.follows_entropy()) beta_ = site().tensor("beta", {}, Init::zeros());
  take_groups();
  predictor_ = std::make_unique<NetPredictor>(params_, nets(), predictor_form());
  codec_ = make_codec(*this);
}

ArmModel::~ArmModel() = default;

NetPredictor::Form ArmModel::predictor_form() const {
  return {.dims = info_.data.dims(), .levels = reader_.levels()};
}

std::unique_ptr<const StatePredictor> ArmModel::repeatable_predictor() const {
  NetPredictor::Form form = predictor_form();
  form.numerics = repeatable_numerics;
  return std::make_unique<NetPredictor>(params_, nets(), form);
}

void ArmModel::take_groups() {
  const ChannelsFirst place(info_.data);
  groups_.resize(stored_groups_.size());
  for (std::size_t i = 0; i < stored_groups_.size(); ++i) groups_[place(i)] = stored_groups_[i];
}

OrderRule ArmModel::rule(std::span<const float> theta) const {
  if (config_.learns_policy()) return {.kind = RuleKind::network};
  if (!config_.follows_entropy()) return {.kind = RuleKind::grouped, .groups = groups_};
  return {.kind = RuleKind::entropy,
          .beta = static_cast<double>(theta[at(params_.infos()[at(beta_)].offset)])};
}

void ArmModel::params(const TensorVisitor& visit) {
  ParamModel::params(visit);
  if (stored_groups_.empty()) return;
  visit(TensorRef::of("groups", std::span(stored_groups_), {std::ssize(stored_groups_)}),
        TensorRole::constant);
}

void ArmModel::filled() {
  take_groups();
  if (config_.orders != OrderKind::fixed) return;
  std::vector<bool> taken(stored_groups_.size());
  for (const std::int64_t place : stored_groups_) {
    const bool good = place >= 0 && place < std::ssize(taken) && !taken[at(place)];
    if (!good) fail(ErrorKind::data, "groups", "are those of a fixed order, and no permutation");
    taken[at(place)] = true;
  }
}

std::unique_ptr<ScoringPlan> ArmModel::scoring(const std::string& method) const {
  if (method == exact_method) return make_exact_scoring(*this);
  if (method == iwae_method) return make_iwae_scoring(*this);
  LOGPX_ASSERT(method == elbo_method);
  return make_elbo_scoring(*this);
}

std::unique_ptr<SamplingPlan> ArmModel::sampling() const { return make_sampling(*this); }

}  // namespace logpx::arm
