#include "libcore/families/arm/sampling/order_trace.hpp"

#include "libcore/base/index.hpp"

namespace logpx::arm {

TracedSteps::TracedSteps(const DatasetInfo& rows, const RowForm& form,
                         std::span<const std::int32_t> x, bool whole)
    : dims_(rows.dims()), whole_(whole) {
  const ChannelsFirst place(rows);
  const std::size_t all = x.size();
  for (std::size_t first = 0; first < all; first += at(dims_)) {
    const std::int64_t atoms =
        form.holds_molecules() ? form.atoms_of(x.subspan(first, at(dims_))) : 0;
    atoms_.push_back(atoms);
    const auto [places, is_new] = places_.try_emplace(atoms, at(dims_), absent);
    if (!is_new) continue;
    const std::vector<std::int32_t> dims = form.dims_of(atoms);
    for (std::size_t i = 0; i < dims.size(); ++i)
      places->second[form.holds_molecules() ? at(dims[i]) : place(i)] =
          static_cast<std::int32_t>(i);
  }
  order_.assign(all, -1);
  value_.assign(all, -1);
  for (std::vector<float>* numbers :
       {&value_prob_, &policy_log_prob_, &policy_entropy_, &classifier_entropy_})
    numbers->resize(all);
  if (whole) policy_.resize(all * at(dims_));
}

const std::vector<std::int32_t>& TracedSteps::places_of(std::int64_t row) const {
  return places_.at(atoms_[at(row)]);
}

void TracedSteps::add(const SampledStep& step) {
  const std::size_t place = at(step.row * dims_ + step.step);
  const std::vector<std::int32_t>& places = places_of(step.row);
  order_[place] = places[step.dim];
  value_[place] = step.value;
  value_prob_[place] = static_cast<float>(step.value_p);
  policy_log_prob_[place] = static_cast<float>(step.log_policy);
  policy_entropy_[place] = static_cast<float>(step.policy_entropy);
  classifier_entropy_[place] = static_cast<float>(step.value_entropy);
  for (std::size_t k = 0; k < (whole_ ? places.size() : 0); ++k)
    if (places[k] != absent)
      policy_[place * at(dims_) + at(places[k])] = static_cast<float>(step.policy[k]);
}

void TracedSteps::append_to(std::vector<SampleCode>& codes, std::int64_t count) const {
  const Shape each{dims_};
  const auto add = [&](const char* name, const auto& numbers, const Shape& shape) {
    codes.push_back(
        SampleCode::of(name, shape, std::span(numbers).first(at(count * shape.elements()))));
  };
  add("order", order_, each);
  add("value", value_, each);
  add("value_prob", value_prob_, each);
  add("policy_log_prob", policy_log_prob_, each);
  add("policy_entropy", policy_entropy_, each);
  add("classifier_entropy", classifier_entropy_, each);
  if (whole_) add("policy", policy_, {dims_, dims_});
}

}  // namespace logpx::arm
