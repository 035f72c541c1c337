#include "libcore/model/mixture_prior.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t most_parts = 4096, most_numbers = 1 << 28;

BlockRange added(ParamSet& params, const char* name, const Shape& shape) {
  const int number = params.add(name, shape);
  const std::int64_t begin = params.infos()[at(number)].offset;
  return {begin, begin + shape.elements()};
}

}  // namespace

std::optional<MixtureForm> mixture_form(std::string_view text, std::int64_t dims,
                                        const std::string& option) {
  if (text == normal_prior) return std::nullopt;
  constexpr std::string_view word = "mixture:", diagonal = ",diag";
  MixtureForm form{.dims = dims};
  std::string_view number = text.starts_with(word) ? text.substr(word.size()) : "";
  if (number.ends_with(diagonal)) {
    form.covariance = Covariance::diagonal;
    number.remove_suffix(diagonal.size());
  }
  const std::optional<std::int64_t> components = parse_integer(number);
  if (!components || *components < 1 || *components > most_parts)
    fail(ErrorKind::usage, option,
         "is " + std::string(text) + ", expected mixture:K or mixture:K,diag, K from 1 to " +
             std::to_string(most_parts));
  form.components = *components;
  if (form.scales() > most_numbers / form.components)
    fail(ErrorKind::usage, option,
         "would need " + std::to_string(form.components) + " times " +
             std::to_string(form.scales()) + " numbers; mixture:K,diag needs far fewer");
  return form;
}

MixtureParams::MixtureParams(ParamSet& params, const MixtureForm& form)
    : form_(form),
      weights_(added(params, "prior/weights", {form.components})),
      means_(added(params, "prior/means", {form.components, form.dims})),
      factors_(added(params, "prior/factors",
                     form.covariance == Covariance::full
                         ? Shape{form.components, form.dims, form.dims}
                         : Shape{form.components, form.dims})) {}

void MixtureParams::initialise(std::span<float> theta) const {
  const MixtureNumbers<float> mixture = numbers(theta);
  std::ranges::fill(mixture.weights, 1 / static_cast<float>(form_.components));
  std::ranges::fill(mixture.means, 0.0F);
  std::ranges::fill(mixture.factors, 0.0F);
  const std::int64_t step = form_.covariance == Covariance::full ? form_.dims + 1 : 1;
  for (std::int64_t k = 0; k < form_.components; ++k)
    for (std::int64_t j = 0; j < form_.dims; ++j)
      mixture.factors[at(k * form_.scales() + j * step)] = 1;
}

void MixtureParams::check(std::span<const float> theta) const {
  const std::string fault = mixture_fault(form_, numbers(theta));
  if (!fault.empty()) fail(ErrorKind::data, "prior", fault);
}

std::unique_ptr<const GaussianMixture> MixtureParams::mixture(std::span<const float> theta) const {
  return std::make_unique<const GaussianMixture>(form_, numbers(theta));
}

CodedMixture::CodedMixture(std::unique_ptr<const GaussianMixture> mixture)
    : mixture_(std::move(mixture)) {}

void CodedMixture::log_joint(std::span<const double> z, std::span<double> nats) const {
  const RepeatableFunctions repeatable;
  mixture_->log_joint(z, nats);
}

codec::Normal CodedMixture::next(std::size_t component, std::span<const double> before) const {
  const GaussianMixture::Normal normal =
      mixture_->next(static_cast<std::int64_t>(component), before);
  return {normal.mean, normal.deviation};
}

std::vector<const codec::Bins*> CodedMixture::bins(int bits, Workers& workers) const {
  const codec::Bins& standard = codec::normal_bins(bits, workers);
  const std::lock_guard lock(mutex_);
  std::vector<codec::Bins>& own = bins_[bits];
  for (std::int64_t j = std::ssize(own); j < mixture_->form().dims; ++j) {
    const GaussianMixture::Normal normal = mixture_->marginal(j);
    own.push_back(codec::moved_bins(standard, {normal.mean, normal.deviation}));
  }
  std::vector<const codec::Bins*> all;
  for (const codec::Bins& one : own) all.push_back(&one);
  return all;
}

}  // namespace logpx
