#include "libcore/codec/self_test.hpp"
#include "tools/archives/names.hpp"

namespace logpx::compress {

void require_numerics() { codec::require_numerics(); }

std::string selftest_text() {
  const codec::SelfTest test = codec::det_selftest();
  std::string text;
  for (const codec::SelfTest::Part& part : test.parts) text += part.hash + "  " + part.name + '\n';
  return text + test.hash + "  logpx numerics 1: " + (test.passed() ? "good" : "not computed") +
         '\n';
}

}  // namespace logpx::compress
