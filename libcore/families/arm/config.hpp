// What an autoregressive model of any order is made of: how its order comes about, its networks,
// how x is read.   [arm/README 1.1, 2, 8 and 9]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/families/arm/networks/net_options.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace logpx {
class Fields;
}

namespace logpx::arm {

enum class OrderKind { any, biased, fixed, learned };  // ao, biased, fixed, lo
enum class PolicyKind { entropy, shared };
enum class ChoiceKind { shared, separate };  // q(z|x)

struct Config {
  OrderKind orders = OrderKind::learned;
  PolicyKind policy = PolicyKind::shared;
  ChoiceKind choice = ChoiceKind::separate;
  std::string order = "raster";  // for `fixed`: or the name of a file
  std::string groups = {};       // for `biased`: the name of a file
  NetOptions net;
  std::int64_t coarse = 0;  // how many levels grey values are read as; 0: all
  std::string binarise = "none";
  std::uint64_t binarise_seed = 1;

  void describe(Fields& fields);
  // Fills in what was left open; usage errors for what contradicts itself or the data.
  void settle(const DatasetInfo& data);
  // Only checks the options against the data; settle() does so, too.
  void check_data(const DatasetInfo& data) const;

  [[nodiscard]] std::int64_t levels(const DatasetInfo& data) const;
  [[nodiscard]] RowRules rules() const;
  // The values that the data can have as they are read, before coarse levels.
  [[nodiscard]] std::unique_ptr<const Likelihood> support(const DatasetInfo& data) const;
  [[nodiscard]] bool learns_policy() const {
    return orders == OrderKind::learned && policy == PolicyKind::shared;
  }
  [[nodiscard]] bool follows_entropy() const {
    return orders == OrderKind::learned && policy == PolicyKind::entropy;
  }
  [[nodiscard]] bool has_groups() const {
    return orders == OrderKind::biased || orders == OrderKind::fixed;
  }

 private:
  [[nodiscard]] bool binarises() const;
};

}  // namespace logpx::arm
