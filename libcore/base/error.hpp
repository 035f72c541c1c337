// What can go wrong, said once: an Error knows its kind (which decides the exit code), the thing it
// is about (a path, an option, a step), what is the matter, and, where there is one, the remedy.
//
//   fail(ErrorKind::data, "digits.h5: /data/x", "has shape [70000, 784], expected [N, H, W, C]",
//        "pack-data idx images.gz --shape 28,28,1 -o digits.h5");
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace logpx {

// Where in the source a fact was noticed. (Place needs Clang 16; the fuzzers run on 14.)
struct Place {
  const char* file = "";
  int line = 0;
  static constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

enum class ErrorKind { usage, data, numeric, io, refused };

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string subject, std::string message, std::string hint = {},
        Place where = Place::here());

  [[nodiscard]] ErrorKind kind() const { return kind_; }
  [[nodiscard]] const std::string& subject() const { return subject_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }
  [[nodiscard]] const Place& where() const { return where_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

  // The same error seen from further out: "train.h5" put before "/data/x".
  [[nodiscard]] Error within(std::string_view outer) const;
  [[nodiscard]] Error with_hint(std::string hint) const;

 private:
  ErrorKind kind_;
  std::string subject_, message_, hint_, text_;
  Place where_;
};

[[noreturn]] void fail(ErrorKind kind, std::string subject, std::string message,
                       std::string hint = {}, Place where = Place::here());

// Thrown by long loops after the first SIGINT, SIGTERM or SIGHUP, when the current step is done.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  [[nodiscard]] int signal() const { return signal_; }
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }

 private:
  int signal_;
};

// The words of errno: "no such file", "permission denied", "no space left on device".
[[nodiscard]] std::string errno_words(int error_number);
[[noreturn]] void fail_errno(std::string subject, int error_number, std::string hint = {},
                             Place where = Place::here());

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace logpx

// For mistakes of the programmer, never of the user: always on, prints and aborts.
#define LOGPX_ASSERT(condition) \
  ((condition) ? void(0) : ::logpx::assertion_failed(#condition, __FILE__, __LINE__))
#ifdef NDEBUG
#define LOGPX_DCHECK(condition) void(0)
#else
#define LOGPX_DCHECK(condition) LOGPX_ASSERT(condition)
#endif
