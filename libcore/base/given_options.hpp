// Errors for options on the command line that nothing reads. Those of a settings file are exempt,
// since it holds every option. What an option goes with stands beside its description:
//
//   const Condition walks{[&] { return way == "walk"; }, "--way walk"};
//   fields.add("eta", eta, "length of a step").when(walks);
//
// and once all settings are there, with what follows from them and from the data:
//
//   refuse_unread(app.fields(), app.fields());
#pragma once

#include "libcore/base/fields.hpp"

#include <span>
#include <string>
#include <string_view>

namespace logpx {

// Whether this option was given on the command line; false where there is none of that name.
[[nodiscard]] bool is_given(const Fields& fields, std::string_view option);

// A usage error for the first of these options that was given on the command line.
void refuse_given(const Fields& fields, std::span<const char* const> options,
                  const std::string& why);
// The same for any of those that `described` describes.
void refuse_given(const Fields& fields, const Fields& described, const std::string& why);

// A usage error for the first option given on the command line that does not count, as the field
// of the same name in `settled` says.
void refuse_unread(const Fields& given, const Fields& settled);
// The same for settings that describe themselves.
template <typename Settings>
requires requires(Settings settings, Fields fields) { settings.describe(fields); }
void refuse_unread(const Fields& given, Settings settled) {
  Fields fields;
  settled.describe(fields);
  refuse_unread(given, fields);
}

}  // namespace logpx
