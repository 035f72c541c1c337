#include "libcore/base/given_options.hpp"

#include "libcore/base/error.hpp"

namespace logpx {

bool is_given(const Fields& fields, std::string_view option) {
  const Field* const field = fields.find_option(option);
  return field != nullptr && field->given();
}

void refuse_given(const Fields& fields, std::span<const char* const> options,
                  const std::string& why) {
  for (const char* option : options) {
    const Field* const field = fields.find_option(option);
    LOGPX_ASSERT(field != nullptr);
    if (field->given()) fail(ErrorKind::usage, option, why);
  }
}

void refuse_given(const Fields& fields, const Fields& described, const std::string& why) {
  for (const Field& field : described.all()) {
    const Field* const said = fields.find_key(field.key());
    if (said != nullptr && said->given()) fail(ErrorKind::usage, field.option(), why);
  }
}

void refuse_unread(const Fields& given, const Fields& settled) {
  for (const Field& field : settled.all()) {
    const Field* const said = given.find_key(field.key());
    if (said == nullptr || !said->given()) continue;
    if (const std::string why = field.unread_because(); !why.empty())
      fail(ErrorKind::usage, field.option(), why);
  }
}

}  // namespace logpx
