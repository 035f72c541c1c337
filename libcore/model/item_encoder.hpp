// q(z|x) of items as the entropy coder takes it: an encoder's network with repeatable numbers.
// [codec/README 4.2]
//
//   const ItemEncoder encoder(params, build, {.places = places, .dims = 784, .latents = 20});
//   encoder.posterior(items, mean, log_var);
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/model/repeatable_net.hpp"

#include <cstdint>
#include <span>

namespace logpx {

class ItemEncoder {
 public:
  struct Form {
    ChannelsFirst places;  // element i of an item is dimension places(i)
    std::int64_t dims = 0, latents = 0;
    double unit = 1;  // x is a symbol divided by this
  };
  // The graph of n rows: input "x" [n,dims], outputs "mean" [n,latents] and "log_var", which may
  // have one row for all.
  ItemEncoder(const ParamSet& params, RepeatableNet::Build build, const Form& form)
      : form_(form), net_(params, std::move(build)) {}

  // From items [n,dims] to [n,latents]. An item's numbers do not depend on the others.
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const;

 private:
  Form form_;
  RepeatableNet net_;
};

}  // namespace logpx
