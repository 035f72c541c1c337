// A density has no name of its own: its errors are given the name of whoever it belongs to.
#pragma once

#include "libcore/base/error.hpp"

namespace logpx {

// Calls make(); its errors whose subject is "density" get name() instead.
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
