#include "tools/compress/names.hpp"

namespace logpx::compress {
void require_numerics() {}
std::string selftest_text() { return ""; }
}  // namespace logpx::compress
