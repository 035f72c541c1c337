#include "libcore/codec/self_test.hpp"

#include "libcore/det/fp_environment.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace logpx::self_test_test {

TEST_CASE("self test: this build computes logpx numerics 1") {
  const codec::SelfTest test = codec::det_selftest();
  std::string parts;
  for (const auto& part : test.parts) parts += part.name + (" " + part.hash) + "\n";
  CAPTURE(parts);
  CAPTURE(test.hash);
  CHECK(test.passed());
  codec::require_numerics();
}

TEST_CASE("self test: parts have hashes of their own, and another hash does not pass") {
  codec::SelfTest test = codec::det_selftest();
  std::set<std::string> hashes;
  for (const auto& part : test.parts) hashes.insert(part.hash);
  CHECK(hashes.size() == test.parts.size());
  test.hash[0] = test.hash[0] == '0' ? '1' : '0';
  CHECK_FALSE(test.passed());
}

TEST_CASE("self test: the caller's floating-point environment does not matter") {
  const std::uint64_t before = det::fp_control();
#if defined(__x86_64__)
  det::set_fp_control(before | 0x8040);
#else
  det::set_fp_control(before | (1u << 24));
#endif
  const bool passed = codec::det_selftest().passed();
  det::set_fp_control(before);
  CHECK(passed);
}

}  // namespace logpx::self_test_test
