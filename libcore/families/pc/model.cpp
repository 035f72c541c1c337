#include "libcore/families/pc/model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/circuit/validation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx::pc {
namespace {

// Colours are read pixel by pixel, as whole numbers of three ranges.
void require_transform(const Circuit& circuit, const Config& config) {
  const bool refused = circuit.chained() || circuit.styles > 1 || circuit.has_reals();
  if (config.transform == Transform::none || !refused) return;
  fail(ErrorKind::data, structure_tensor,
       std::string(circuit.chained()    ? "is a chain"
                   : circuit.styles > 1 ? "has styles of rows"
                                        : "has leaves of real numbers") +
           ", which does not go with --transform " + word_of(config.transform));
}

// Checks that a circuit, which anyone may have written, fits the rows and has no more nodes than is
// reasonable for its parameters.
Circuit fitting_circuit(Circuit circuit, const Config& config, const DatasetInfo& data) {
  require_valid(circuit, structure_tensor);
  const auto variables = std::ssize(circuit.variables);
  const std::int64_t dims = data.dims(), levels = config.levels(data);
  if (circuit.chained() ? dims % variables != 0 : dims != variables)
    fail(ErrorKind::data, structure_tensor,
         "has " + std::to_string(variables) + " variables, and a row of the data has " +
             std::to_string(dims) + " values");
  for (std::int64_t v = 0; v < variables; ++v) {
    const Variable& variable = circuit.variables[at(v)];
    const std::int64_t own = circuit.chained() ? levels : config.levels_of(data, v);
    if (own > 0 && variable.categories != levels && variable.known() != own &&
        variable.categories != 0 && variable.values.empty())
      fail(ErrorKind::data, structure_tensor,
           "has " + std::to_string(variable.categories) + " categories of " + variable.name +
               ", and the data have " + std::to_string(own));
  }
  require_transform(circuit, config);
  const CircuitFacts facts = facts_of(circuit);
  if (facts.nodes > 4 * facts.parameters + (1 << 20))
    fail(ErrorKind::data, structure_tensor,
         "has " + std::to_string(facts.nodes) + " nodes and only " +
             std::to_string(facts.parameters) + " parameters");
  return circuit;
}

ModelInfo info_of(const Config& config, const DatasetInfo& data, const Circuit& circuit) {
  ModelInfo info{.family = "pc", .data = data, .samples = data};
  for (DatasetInfo* rows : {&info.data, &info.samples}) {
    rows->label_names.clear();
    rows->notes.clear();
    rows->has_lengths = false;
  }
  info.samples.has_missing = false;
  if (config.levels(data) != data.levels) {
    info.samples.levels = config.levels(data);
    info.samples.value_max = 1;
    info.samples.element = Element::u8;
    info.samples.measure = Measure::counting;
    info.samples.standardisation = {};
  }
  info.measure = circuit.has_densities() ? Measure::lebesgue : Measure::counting;
  if (config.transform == Transform::ycocg_lossy) info.space = "colours with loss";
  const bool any_length = circuit.chained() && circuit.variables.size() == 1;
  info.lengths = any_length ? Lengths::any : Lengths::whole;
  info.missing = true;
  return info;
}

// Real columns are standardised, columns of categories are read as they are. Whole numbers stay
// whole: they are read as so many above the mean.
RowRules rules_of(const Config& config, const DatasetInfo& data, const Circuit& circuit) {
  RowRules rules = config.rules();
  if (rules.binarise.rule != Binarise::none || !circuit.has_reals()) return rules;
  rules.columns = data.standardisation;
  for (std::size_t i = 0; i < rules.columns.mean.size(); ++i)
    if (const Variable& variable = circuit.variables[i % circuit.variables.size()];
        variable.categories > 0 || variable.whole) {
      rules.columns.mean[i] = variable.whole ? std::nearbyint(rules.columns.mean[i]) : 0;
      rules.columns.deviation[i] = 1;
    }
  return rules;
}

}  // namespace

Passes::Loan::Loan(Spares<Idle>& spares, const PassPlan& plan, const PassSettings& settings)
    : loan_(spares.lend()) {
  if (loan_->pass == nullptr) loan_->pass = std::make_unique<Pass<float>>(plan, settings);
}

PcModel::PcModel(Config config, const DatasetInfo& data, Circuit circuit)
    : config_(std::move(config)),
      plan_(fitting_circuit(std::move(circuit), config_, data), params_),
      rows_(rules_of(config_, data, plan_.circuit()), plan_.circuit()),
      passes_(plan_, {}),
      ln_z_(plan_) {
  info_ = info_of(config_, data, plan_.circuit());
  const std::string text = write_circuit(plan_.circuit());
  structure_ = Tensor<std::uint8_t>({std::ssize(text)});
  std::ranges::copy(text, structure_.data());
}

std::int64_t PcModel::steps() const {
  return circuit().chained() ? info_.data.dims() / std::ssize(circuit().variables) : 1;
}

void PcModel::params(const TensorVisitor& visit) {
  for (int i = 0; i < params_.count(); ++i) {
    const ParamInfo& info = params_.infos()[at(i)];
    if (use_of(info.name) != TensorUse::statistics)
      visit(TensorRef::of(info.name, params_.view(i).span(), info.shape), TensorRole::parameter);
  }
  visit(TensorRef::of(structure_tensor, structure_), TensorRole::constant);
}

void PcModel::filled() {
  const SumRows sums = circuit().ln_z ? SumRows::free : SumRows::normalised;
  const std::vector<Fault> faults =
      find_weight_faults(params_, std::as_const(params_).block(), sums);
  if (!faults.empty()) fail(ErrorKind::data, faults[0].block, faults[0].text);
  for (int b = 0; b < static_cast<int>(circuit().blocks.size()); ++b) check_leaf(b);
  if (circuit().ln_z) check_ln_z();
}

// What is stored must be what the weights say, but for their rounding.
void PcModel::check_ln_z() const {
  const double said = *circuit().ln_z, found = ln_z_.of(param_set().block(), steps());
  if (std::abs(found - said) <= 1e-3 + 1e-4 * std::abs(said)) return;
  fail(ErrorKind::data, structure_tensor,
       "says that ln Z is " + to_text(said) + ", and its weights make " + to_text(found));
}

void PcModel::check_leaf(int b) const {
  const Leaf* const leaf = plan_.leaf(b);
  const JointForm* const joint = plan_.joint(b);
  if (leaf == nullptr && joint == nullptr) return;
  const std::int64_t each = joint != nullptr ? joint->parameters() : leaf->parameters();
  const float* parameters = plan_.values(b, 0, param_set().block());
  for (std::int64_t j = 0; j < plan_.block(b).size; ++j, parameters += each) {
    const std::vector<double> q(parameters, parameters + each);
    const std::string fault = joint != nullptr ? joint_fault(*joint, q) : leaf->fault(q);
    if (!fault.empty())
      fail(ErrorKind::data, plan_.block(b).id + "/q", "row " + std::to_string(j) + ' ' + fault);
  }
}

std::vector<double> PcModel::log_p(const Examples& examples, Passes& by) const {
  const Passes::Loan loan = by.lend();
  loan.columns() = rows_.take_all(examples);
  std::vector<double> nats(at(examples.rows.count));
  loan.pass().log_p(params_.block(), loan.columns(), nats);
  ln_z_.subtract(param_set().block(), loan.columns(), nats);
  rows_.to_rows(loan.columns(), nats);
  return nats;
}

}  // namespace logpx::pc
