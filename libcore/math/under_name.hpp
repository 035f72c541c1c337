// Errors of a density, which knows no name of its own, say whose it is.
#pragma once

#include "libcore/base/error.hpp"

namespace logpx {

// make(), whose errors get name() for their subject where that is "density".
template <typename Name, typename Make>
void under_name(Name name, Make make) {
  try {
    make();
  } catch (const Error& error) {
    if (error.subject() != "density") throw;
    throw Error(error.kind(), name(), error.message(), error.hint(), error.where());
  }
}

}  // namespace logpx
