// How the shape rules of ops complain: "[8,64,256] x [128,128]: inner 256 vs 128".
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/math/tensor.hpp"

#include <span>
#include <string>

namespace logpx {

inline void expect_fit(bool fits, std::span<const Shape> shapes, const std::string& rule) {
  if (fits) return;
  std::string text;
  for (const Shape& shape : shapes) text += (text.empty() ? "" : " x ") + shape.text();
  fail(ErrorKind::usage, "", text + ": " + rule);
}

}  // namespace logpx
