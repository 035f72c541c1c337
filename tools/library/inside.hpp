// What the header of the library keeps to itself.
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/model/abilities.hpp"
#include "tools/library/logpx.hpp"

#include <memory>
#include <string>

namespace logpx::v0 {

struct Rows::Inside {
  std::shared_ptr<RowSource> source;
  std::string name;  // for messages
  std::int64_t begin = 0, end = 0;
};

struct Model::Inside {
  std::shared_ptr<logpx::Model> model;
  Abilities can;
  mutable Workers workers = Workers();
};

// Errors of the inside as those of the header.
template <typename Act>
auto told(const Act& act) {
  static_assert(static_cast<int>(ErrorKind::refused) == static_cast<int>(Trouble::refused));
  try {
    return act();
  } catch (const Error& error) {
    throw Failure(static_cast<Trouble>(error.kind()), error.what(), error.hint());
  }
}

}  // namespace logpx::v0
