// What a tool says on stderr: every line begins with the tool's name; colour only for the words
// error, warning and hint.
#pragma once

#include "libcore/base/error.hpp"

#include <string>
#include <string_view>

namespace logpx {

enum class When { auto_, always, never };

class Messages {
 public:
  explicit Messages(std::string tool);

  // verbosity: -1 quiet, 0 normal, 1 and 2 by -v and -vv.
  void configure(int verbosity, When color, When progress);
  void only_errors() { only_errors_ = true; }  // of a rank that is not the first
  [[nodiscard]] int verbosity() const { return verbosity_; }

  void error(const Error& error);
  void error(std::string_view text);
  void warn(std::string_view text);
  void hint(std::string_view text);
  void say(std::string_view text);     // not with -q
  void detail(std::string_view text);  // only with -v
  void next(std::string_view command);

  // The redrawn line: only on a terminal (or with --progress always, as plain lines).
  [[nodiscard]] bool redraws() const;
  [[nodiscard]] bool logs_progress() const;
  // On a narrow terminal, parts of `text` (separated by two blanks) are dropped in favour of
  // `kept`.
  void draw(std::string_view text, std::string_view kept);
  void erase();

 private:
  void line(std::string_view label, const char* colour, std::string_view text);

  std::string tool_;
  int verbosity_ = 0;
  bool only_errors_ = false, colour_ = false, drawn_ = false;
  bool terminal_ = false;  // whether stderr can move its cursor
  When progress_ = When::auto_;
};

}  // namespace logpx
