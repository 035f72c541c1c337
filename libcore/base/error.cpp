#include "libcore/base/error.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace logpx {

Error::Error(ErrorKind kind, std::string subject, std::string message, std::string hint,
             Place where)
    : kind_(kind),
      subject_(std::move(subject)),
      message_(std::move(message)),
      hint_(std::move(hint)),
      text_(subject_.empty() ? message_ : subject_ + ": " + message_),
      where_(where) {}

Error Error::within(std::string_view outer) const {
  const std::string subject = std::string(outer) + (subject_.empty() ? "" : ": " + subject_);
  return {kind_, subject, message_, hint_, where_};
}

Error Error::with_hint(std::string hint) const {
  return {kind_, subject_, message_, std::move(hint), where_};
}

void fail(ErrorKind kind, std::string subject, std::string message, std::string hint, Place where) {
  throw Error(kind, std::move(subject), std::move(message), std::move(hint), where);
}

std::string errno_words(int error_number) {
  if (error_number == ENOENT) return "no such file";
  std::string words = std::strerror(error_number);
  if (words.size() > 1 && std::islower(static_cast<unsigned char>(words[1])) != 0)
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

void fail_errno(std::string subject, int error_number, std::string hint, Place where) {
  fail(ErrorKind::io, std::move(subject), errno_words(error_number), std::move(hint), where);
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s (a bug in logpx)\n", file, line, condition);
  std::abort();
}

}  // namespace logpx
