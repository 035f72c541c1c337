// What a model knows about the data that it reads and makes, as named facts: a model file and a
// model inside an archive keep the same ones, each in its own form.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace logpx {

using FactValue = std::variant<std::int64_t, std::vector<std::int64_t>, std::vector<double>,
                               std::string, std::vector<std::string>>;

struct DataFact {
  const char* name;
  bool always;  // others are kept only where there is something to keep
  std::function<FactValue(const DatasetInfo&)> get;
  // Takes a value of the type that get() gives. A data error where it makes no sense.
  std::function<void(DatasetInfo&, const FactValue&)> set;
};

// All facts, in the order in which they are written.
[[nodiscard]] const std::vector<DataFact>& data_facts();

// Those of them that say what each column of a table is.
[[nodiscard]] const std::vector<DataFact>& form_facts();

// Whether equal values of x are equal numbers of both tables. A table without forms fits any.
[[nodiscard]] bool same_storage(std::span<const ColumnForm> a, std::span<const ColumnForm> b);

// A data error unless there is a letter or a token for each level, or no alphabet at all.
void check_alphabet(const DatasetInfo& info);

// A data error unless names, numbers of words, kinds, means and deviations are given for all
// columns or none, there are as many words as these numbers say, a column holds what its kind says,
// and deviations can be divided by. A row without values has any number of columns.
void check_columns(const DatasetInfo& info);

}  // namespace logpx
