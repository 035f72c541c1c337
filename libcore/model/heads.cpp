#include "libcore/model/heads.hpp"

#include "libcore/base/error.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"

#include <algorithm>

namespace logpx {
namespace {

// [..., D K] to [...,D,K]
Var last_apart(Var x, std::int64_t parts) {
  std::vector<std::int64_t> sizes(x.shape().sizes().begin(), x.shape().sizes().end());
  sizes.back() /= parts;
  sizes.push_back(parts);
  return x.reshape(Shape(sizes));
}

Var squashed(Var x, Squash squash) {
  switch (squash) {
    case Squash::none: break;
    case Squash::sigmoid: return sigmoid(x);
    case Squash::tanh: return tanh(x);
  }
  return x;
}

}  // namespace

Extents extents_of(const DatasetInfo& data) {
  if (data.content != Content::image || data.shape.size() != 3) return {.dims = data.dims()};
  return {.dims = data.dims(),
          .channels = data.shape[2],
          .height = data.shape[0],
          .width = data.shape[1]};
}

Var numbers_of_maps(Var maps, std::int64_t per_dim) {
  const std::int64_t rows = maps.shape()[0], channels = maps.shape()[1] / per_dim,
                     pixels = maps.shape()[2] * maps.shape()[3];
  if (per_dim > 1) maps = permute(maps.reshape({rows, channels, per_dim, pixels}), {0, 1, 3, 2});
  return maps.reshape({rows, channels * pixels * per_dim});
}

std::span<const HeadForm> own_heads(std::span<const HeadForm> forms) {
  const auto shared = std::ranges::find(forms, true, &HeadForm::shared);
  return {forms.begin(), shared};
}

HeadMaker::HeadMaker(const Site& site, std::vector<HeadForm> forms) : forms_(std::move(forms)) {
  for (std::size_t i = own().size(); i < forms_.size(); ++i)
    shared_.push_back(forms_[i].value ? -1 : site.tensor(forms_[i].name, {1}, Init::zeros()));
}

Likelihood::Heads HeadMaker::operator()(const ParamSet& params,
                                        const std::vector<Var>& numbers) const {
  const std::span<const HeadForm> each = own();
  LOGPX_ASSERT(numbers.size() == each.size() && !numbers.empty());
  Likelihood::Heads heads;
  for (std::size_t i = 0; i < each.size(); ++i) {
    Var head = numbers[i];
    if (each[i].low) head = smooth_clamp(head, *each[i].low, *each[i].high);
    head = squashed(head, each[i].squash);
    heads.push_back(each[i].per_dim == 1 ? head : last_apart(head, each[i].per_dim));
  }
  Graph& graph = numbers[0].graph();
  for (std::size_t i = each.size(); i < forms_.size(); ++i) {
    const int tensor = shared_[i - each.size()];
    heads.push_back(tensor < 0 ? graph.constant(*forms_[i].value)
                               : graph.parameter(params, tensor).reshape({}));
  }
  return heads;
}

}  // namespace logpx
