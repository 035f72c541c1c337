#include "libcore/base/given_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"

namespace logpx {

void refuse_given(const Fields& fields, std::span<const char* const> options,
                  const std::string& why) {
  for (const char* option : options) {
    const Field* const field = fields.find_option(option);
    LOGPX_ASSERT(field != nullptr);
    if (field->given()) fail(ErrorKind::usage, option, why);
  }
}

void refuse_unread(const Fields& fields, std::span<const OptionRule> rules) {
  for (const OptionRule& rule : rules)
    if (!rule.read) refuse_given(fields, rule.options, rule.why);
}

}  // namespace logpx
