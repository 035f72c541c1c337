// Sizes that cannot be: they are errors, not small numbers.
#include "libcore/math/tensor.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

namespace logpx::tensor_test {
namespace {

constexpr std::int64_t large = std::int64_t{1} << 31;

ErrorKind kind_of_failure(const Shape& shape) {
  try {
    (void)Tensor<double>(shape);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::numeric;
}

}  // namespace

TEST_CASE("tensor: more elements or bytes than can be counted are a usage error") {
  CHECK(Shape{large, large}.elements() == large * large);
  CHECK_THROWS_AS((void)Shape({large, large, 2}).elements(), Error);
  CHECK_THROWS_AS((void)Shape({4, large, large}).elements(), Error);
  CHECK(kind_of_failure({large, large, large}) == ErrorKind::usage);
  CHECK(kind_of_failure({large, large}) == ErrorKind::usage);  // 2^62 elements are 2^65 bytes
}

TEST_CASE("tensor: a shape with an empty axis has no elements, however large the others") {
  CHECK(Shape{large, large, large, 0}.elements() == 0);
  CHECK(Shape{0, large, large, large}.elements() == 0);
  CHECK(Tensor<double>(Shape{large, large, large, 0}).size() == 0);
}

}  // namespace logpx::tensor_test
