#include "libcore/families/arm/model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace logpx::arm {
namespace {

constexpr std::int64_t numbers_at_once = 1 << 20, most_rows_at_once = 64;

Config settled(Config config, const DatasetInfo& data) {
  config.settle(data);
  return config;
}

// For a fixed order one group for each dim, as they are stored; for molecules bonds, then atoms;
// else one for all.
std::vector<std::int64_t> usual_groups(const Config& config, const RowForm& form) {
  std::vector<std::int64_t> groups(config.has_groups() ? at(form.dims()) : 0);
  if (config.orders == OrderKind::fixed) std::iota(groups.begin(), groups.end(), 0);
  else if (!groups.empty()) std::fill_n(groups.begin(), form.most_atoms(), 1);
  return groups;
}

// Valences and weights of the atoms, where the elements are known.
GraphFeatures features_of(const Config& config, const DatasetInfo& data) {
  GraphFeatures features{.counts = config.net.counts};
  if (features.counts == GraphCounts::none) return features;
  const AtomTypes types = atom_types_of(data);
  for (std::int64_t i = 0; i < types.size(); ++i) {
    const ElementFacts* const element = find_element(types[i].element);
    if (element == nullptr) return {.counts = config.net.counts};
    features.valences.push_back(element->valence);
    features.weights.push_back(element->weight);
  }
  return features;
}

// Whether all dims are in one group.
bool is_one_group(std::span<const std::int64_t> groups) {
  return std::ranges::adjacent_find(groups, std::not_equal_to{}) == groups.end();
}

}  // namespace

ArmModel::ArmModel(Config config, const DatasetInfo& data, ArmParts parts)
    : ParamModel(settled(std::move(config), data)),
      reader_(config_, data),
      stored_groups_(parts.groups.empty() ? usual_groups(config_, reader_.form())
                                          : std::move(parts.groups)) {
  info_ = reader_.model_info(data);
  info_.block = std::clamp<std::int64_t>(numbers_at_once / (data.dims() * reader_.levels()), 1,
                                         most_rows_at_once);
  if (reader_.form().holds_molecules()) {
    atom_counts_.emplace(reader_.form().most_atoms());
    atom_counts_->count(parts.atoms);
  }
  make_nets(data);
  take_groups();
  predictor_ = std::make_unique<NetPredictor>(params_, nets(), reader_.form());
}

void ArmModel::make_nets(const DatasetInfo& data) {
  const bool learned = config_.orders == OrderKind::learned,
             separate = config_.choice == ChoiceKind::separate;
  NetForm form{.options = config_.net,
               .extents = extents_of(data),
               .rows = reader_.form(),
               .features = features_of(config_, data),
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
}

ArmModel::~ArmModel() = default;

std::unique_ptr<const StatePredictor> ArmModel::repeatable_predictor(const RowForm& form) const {
  return std::make_unique<NetPredictor>(params_, nets(), form, repeatable_numerics);
}

// Groups may tell bonds from atoms, but no atom from another; features of the whole spectrum
// depend on the numbers of the atoms where eigenvalues are equal.   [arm/README 5.4]
std::string ArmModel::sees_numbers_by() const {
  const auto atoms = at(reader_.form().most_atoms());
  const std::span<const std::int64_t> groups = groups_;
  const bool by_kind =
      groups.empty() || (is_one_group(groups.first(atoms)) && is_one_group(groups.subspan(atoms)));
  if (config_.net.counts == GraphCounts::all) return "its features of the spectrum";
  if (by_kind) return "";
  return config_.orders == OrderKind::fixed ? "its fixed order" : "its groups of dims";
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
  if (!stored_groups_.empty())
    visit(TensorRef::of("groups", std::span(stored_groups_), {std::ssize(stored_groups_)}),
          TensorRole::constant);
  if (atom_counts_) visit(atom_counts_->tensor(), TensorRole::constant);
}

void ArmModel::filled() {
  take_groups();
  if (atom_counts_) atom_counts_->check();
  if (config_.orders != OrderKind::fixed) return;
  std::vector<bool> taken(stored_groups_.size());
  for (const std::int64_t place : stored_groups_) {
    const bool good = place >= 0 && place < std::ssize(taken) && !taken[at(place)];
    if (!good) fail(ErrorKind::data, "groups", "are those of a fixed order, and no permutation");
    taken[at(place)] = true;
  }
}

}  // namespace logpx::arm
