#include "libcore/grad/optim.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/fp_environment.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>

namespace logpx {
namespace {

constexpr std::int64_t range_elements = 1 << 14;  // 64 KiB of each array at a time

// Whether `part` has the whole word `word`: norm in "norm1" and "group_norm", not "normaliser".
bool has_word(const std::string& part, const std::string& word) {
  const auto letter = [&](std::size_t i) {
    return i < part.size() && std::isalpha(static_cast<unsigned char>(part[i])) != 0;
  };
  for (auto i = part.find(word); i != std::string::npos; i = part.find(word, i + 1))
    if ((i == 0 || !letter(i - 1)) && !letter(i + word.size())) return true;
  return false;
}

bool excluded(const std::string& name, const std::vector<std::string>& words) {
  const std::vector<std::string> parts = split_text(name, '/');
  for (const std::string& word : words) {
    if (word == "bias" && (parts.back() == "b" || parts.back() == "bias")) return true;
    for (const std::string& part : parts)
      if (word != "bias" && has_word(part, word)) return true;
  }
  return false;
}

ParamGroup group_of(const std::string& name, const std::vector<ParamGroup>& groups) {
  ParamGroup best;
  for (const ParamGroup& group : groups)
    if (lies_under(name, group.prefix) && group.prefix.size() >= best.prefix.size()) best = group;
  return best;
}

}  // namespace

void OptimizerOptions::describe(Fields& f) {
  f.group("optimiser");
  f.add("optimizer", rule,
        {{"sgd", OptimizerRule::sgd, "straight, with --momentum if wanted"},
         {"adagrad", OptimizerRule::adagrad, "each parameter slows down by what it has moved"},
         {"adam", OptimizerRule::adam, "steps by running moments of the gradient"},
         {"adamw", OptimizerRule::adamw, "adam with a decay of its own: the usual choice"}},
        "how parameters follow the gradient")
      .rank(Rank::manual);
  f.add("momentum", momentum, "momentum of sgd").range(0, 1).rank(Rank::manual);
  f.add("nesterov", nesterov, "look ahead along the momentum").rank(Rank::manual);
  f.add("beta1", beta1, "decay of Adam's first moment").range(0, 1).rank(Rank::manual);
  f.add("beta2", beta2, "decay of Adam's second moment").range(0, 1).rank(Rank::manual);
  f.add("optimizer-eps", eps, "added to the root of the second moment")
      .range(0, 1)
      .rank(Rank::set_only);
  f.add("adagrad-start", initial_accumulator, "Adagrad's sum of squares at the start")
      .at_least(0)
      .rank(Rank::set_only);
  f.add("weight-decay", weight_decay, "decoupled decay of adamw").at_least(0).rank(Rank::manual);
  f.add("adam-l2", adam_l2, "decay of adam, added to the gradient").at_least(0).rank(Rank::manual);
  f.add("decay-exclude", decay_exclude, "tensors without decay, by words in their names")
      .rank(Rank::set_only);
}

void OptimizerOptions::validate() const {
  const auto only = [](bool given, const char* option, const char* rules) {
    if (given)
      fail(ErrorKind::usage, option, std::string("belongs to ") + rules,
           std::string("leave it out, or choose --optimizer ") + rules);
  };
  only(rule != OptimizerRule::sgd && (momentum != 0 || nesterov), "--momentum", "sgd");
  only(rule != OptimizerRule::adamw && weight_decay != 0, "--weight-decay", "adamw");
  only(rule != OptimizerRule::adam && adam_l2 != 0, "--adam-l2", "adam");
  if (nesterov && momentum == 0) fail(ErrorKind::usage, "--nesterov", "needs --momentum above 0");
  if (!(beta1 < 1) || !(beta2 < 1)) fail(ErrorKind::usage, "--beta1, --beta2", "must be below 1");
}

int OptimizerOptions::slots() const {
  const bool adam_like = rule == OptimizerRule::adam || rule == OptimizerRule::adamw;
  const bool one = rule == OptimizerRule::adagrad || momentum != 0;
  return adam_like ? 2 : one ? 1 : 0;
}

double Clipping::scale(double norm) const {
  return by == By::norm && norm > limit ? limit / norm : 1;
}

Optimizer::Optimizer(const ParamSet& params, OptimizerOptions options,
                     std::vector<ParamGroup> groups)
    : params_(params), options_(std::move(options)), products_({params.count(), 2}) {
  options_.validate();
  for (const ParamInfo& info : params.infos()) {
    tensor_groups_.push_back(group_of(info.name, groups));
    decays_.push_back(!excluded(info.name, options_.decay_exclude));
  }
  const OptimizerRule rule = options_.rule;
  const bool two = rule == OptimizerRule::adam || rule == OptimizerRule::adamw;
  if (two || options_.momentum != 0) first_ = Tensor<float>({params.block_size()});
  if (two || rule == OptimizerRule::adagrad) second_ = Tensor<float>({params.block_size()});
  for (int tensor = 0; tensor < params.count(); ++tensor) reset(tensor);
}

Selection Optimizer::select(const std::vector<std::string>& prefixes) const {
  return select_tensors(params_.under(prefixes));
}

Selection Optimizer::select_tensors(std::span<const int> tensors) const {
  Selection selection;
  for (const int tensor : tensors) {
    const ParamInfo& info = params_.infos()[at(tensor)];
    if (tensor_groups_[at(tensor)].frozen) continue;
    selection.tensors_.push_back(tensor);
    const std::int64_t end = info.offset + info.shape.elements();
    for (std::int64_t begin = info.offset; begin < end; begin += range_elements)
      selection.ranges_.push_back({tensor, begin, std::min(begin + range_elements, end)});
  }
  selection.squares_.resize(selection.ranges_.size());
  return selection;
}

double Optimizer::norm(const Selection& selection, std::span<const float> gradient,
                       Workers& workers) const {
  const auto task = [&](std::int64_t r) {
    const det::FpEnvironment plain;
    const ParamRange& range = selection.ranges_[at(r)];
    selection.squares_[at(r)] =
        kernels_.square_sum(gradient.data() + range.begin, range.end - range.begin);
  };
  workers.run(std::ssize(selection.ranges_), std::ref(task));
  double clipped = 0, all = 0;
  bool any_clipped = false;
  for (std::size_t r = 0; r < selection.ranges_.size(); ++r) {
    const bool counts = tensor_groups_[at(selection.ranges_[r].tensor)].clipped;
    any_clipped = any_clipped || counts;
    all += selection.squares_[r];
    clipped += counts ? selection.squares_[r] : 0;
  }
  // A tensor outside the clipped norm must still show when it is not finite.
  return std::isfinite(all) && any_clipped ? std::sqrt(clipped) : std::sqrt(all);
}

Optimizer::Coefficients Optimizer::coefficients(int tensor, const UpdateRates& rates) const {
  const ParamGroup& group = tensor_groups_[at(tensor)];
  const double lr = rates.rate * group.rate, decay = decays_[at(tensor)] ? group.decay : 0;
  Coefficients c{};
  c.rate = static_cast<float>(lr);
  c.decay = static_cast<float>(lr * options_.weight_decay * decay);
  c.l2 = static_cast<float>(options_.adam_l2 * decay + group.l2);
  c.scale = static_cast<float>(group.clipped ? rates.clip_scale : 1);
  if (options_.rule == OptimizerRule::adam || options_.rule == OptimizerRule::adamw) {
    c.rate = static_cast<float>(lr / (1 - products_[2 * tensor]));
    c.correction = static_cast<float>(1 / (1 - products_[2 * tensor + 1]));
  }
  return c;
}

void Optimizer::move(const ParamRange& range, const UpdateBlocks& blocks,
                     const UpdateRates& rates) {
  const det::FpEnvironment plain;
  const Coefficients c = coefficients(range.tensor, rates);
  const auto part = [&](std::span<float> block) {
    return block.empty() ? nullptr : block.data() + range.begin;
  };
  const float infinity = std::numeric_limits<float>::infinity();
  Sweep s{};
  s.theta = part(blocks.theta);
  s.average = part(blocks.average);
  s.first = part(first_.span());
  s.second = part(second_.span());
  s.gradient = blocks.gradient.data() + range.begin;
  s.count = range.end - range.begin;
  s.scale = c.scale;
  s.limit = rates.clip_value > 0 ? static_cast<float>(rates.clip_value) : infinity;
  s.l2 = c.l2;
  s.decay = c.decay;
  s.average_rate = static_cast<float>(1 - rates.average_decay);

  s.rate = c.rate;
  s.correction = c.correction;
  s.eps = static_cast<float>(options_.eps);
  s.momentum = static_cast<float>(options_.momentum);
  s.towards1 = static_cast<float>(1 - options_.beta1);
  s.towards2 = static_cast<float>(1 - options_.beta2);
  switch (options_.rule) {
    case OptimizerRule::sgd:
      if (s.first == nullptr) return kernels_.sgd(s);
      return options_.nesterov ? kernels_.nesterov(s) : kernels_.momentum(s);
    case OptimizerRule::adagrad: return kernels_.adagrad(s);
    case OptimizerRule::adam:
    case OptimizerRule::adamw: return kernels_.adam(s);
  }
}

void Optimizer::step(const Selection& selection, const UpdateBlocks& blocks,
                     const UpdateRates& rates, Workers& workers) {
  for (const int tensor : selection.tensors_) {
    products_[2 * tensor] *= options_.beta1;
    products_[2 * tensor + 1] *= options_.beta2;
  }
  const auto task = [&](std::int64_t r) { move(selection.ranges_[at(r)], blocks, rates); };
  workers.run(std::ssize(selection.ranges_), std::ref(task));
}

void Optimizer::reset(int tensor) {
  if (first_.size() > 0)
    for (float& value : params_.view(tensor, first_.span()).span()) value = 0;
  if (second_.size() > 0) {
    const bool adagrad = options_.rule == OptimizerRule::adagrad;
    const auto start = static_cast<float>(adagrad ? options_.initial_accumulator : 0);
    for (float& value : params_.view(tensor, second_.span()).span()) value = start;
  }
  products_[2 * tensor] = products_[2 * tensor + 1] = 1;
}

std::vector<TensorRef> Optimizer::slots() {
  std::vector<TensorRef> slots;
  if (first_.size() > 0) slots.push_back(TensorRef::of("first", first_));
  if (second_.size() > 0) slots.push_back(TensorRef::of("second", second_));
  slots.push_back(TensorRef::of("products", products_));
  return slots;
}

}  // namespace logpx
