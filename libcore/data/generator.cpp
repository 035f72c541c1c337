#include "libcore/data/generator.hpp"

#include "libcore/base/error.hpp"

#include <utility>

namespace logpx {

double Generator::log_p(const Example&) const {
  LOGPX_ASSERT(!info_.has_true_logp);
  return 0;
}

DatasetInfo discrete_info(Content content, std::vector<std::int64_t> shape, std::int64_t levels) {
  DatasetInfo info;
  info.content = content;
  info.measure = Measure::counting;
  info.element = Element::u8;
  info.shape = std::move(shape);
  info.levels = levels;
  info.value_max = static_cast<double>(levels - 1);
  return info;
}

void refuse_option(const std::string& option, const std::string& value,
                   const std::string& expected) {
  fail(ErrorKind::usage, "--" + option, "'" + value + "' is not " + expected);
}

}  // namespace logpx
