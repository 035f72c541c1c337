#include "tools/frame/messages.hpp"

#include "formats/h5/errors.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

namespace logpx {
namespace {

constexpr const char* red = "\033[1;31m";
constexpr const char* yellow = "\033[1;33m";
constexpr const char* cyan = "\033[1;36m";

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
}

// One write per line, so that the lines of programs that share a terminal stay whole.
void put(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (count <= 0) return;  // nobody is reading
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace

Messages::Messages(std::string tool) : tool_(std::move(tool)) {
  const char* term = std::getenv("TERM");
  terminal_ = isatty(STDERR_FILENO) != 0 && term != nullptr && std::strcmp(term, "dumb") != 0;
  configure(0, When::auto_, When::auto_);
}

void Messages::configure(int verbosity, When color, When progress) {
  verbosity_ = verbosity;
  progress_ = progress;
  const char* no_color = std::getenv("NO_COLOR");
  const bool unwanted = no_color != nullptr && *no_color != '\0';
  colour_ = color == When::always || (color == When::auto_ && terminal_ && !unwanted);
}

void Messages::line(std::string_view label, const char* colour, std::string_view text) {
  erase();
  std::string whole = tool_ + ": ";
  if (!label.empty())
    whole += colour_ ? colour + std::string(label) + "\033[0m: " : std::string(label) + ": ";
  for (const char c : text) {
    whole += c;
    if (c == '\n') whole += tool_ + ": ";
  }
  whole += '\n';
  put(whole);
}

void Messages::error(const Error& error) {
  this->error(error.what());
  if (!error.hint().empty()) hint(error.hint());
  if (verbosity_ < 2) return;
  line("", "", std::string("at ") + error.where().file + ':' + std::to_string(error.where().line));
  for (const std::string& entry : h5::stack_behind(error)) line("", "", "hdf5: " + entry);
}

void Messages::error(std::string_view text) { line("error", red, text); }
void Messages::warn(std::string_view text) {
  if (!only_errors_) line("warning", yellow, text);
}
void Messages::hint(std::string_view text) { line("hint", cyan, text); }
void Messages::say(std::string_view text) {
  if (verbosity_ >= 0 && !only_errors_) line("", "", text);
}
void Messages::detail(std::string_view text) {
  if (verbosity_ >= 1 && !only_errors_) line("", "", text);
}
void Messages::next(std::string_view command) {
  if (verbosity_ >= 0 && !only_errors_) line("next", cyan, command);
}

bool Messages::redraws() const {
  if (only_errors_) return false;
  if (progress_ == When::always) return verbosity_ >= 0;
  return logs_progress() && terminal_;
}

bool Messages::logs_progress() const {
  return verbosity_ >= 0 && progress_ != When::never && !only_errors_;
}

void Messages::draw(std::string_view text, std::string_view kept) {
  std::string line = tool_ + "  " + std::string(text);
  if (!redraws()) return put(line.append(kept) + '\n');
  // Leaves room for the ^C that the terminal may show after the line.
  const std::size_t room = terminal_width() - std::string_view("^C ").size();
  for (std::size_t end; line.size() + kept.size() > room; line.resize(end)) {
    end = line.rfind("  ");
    if (end <= tool_.size()) break;
  }
  put("\r\033[K" + line.append(kept).substr(0, room));
  drawn_ = true;
}

// Also erases a ^C if no line was drawn.
void Messages::erase() {
  if (drawn_ || (terminal_ && stop::requested() != 0)) put("\r\033[K");
  drawn_ = false;
}

}  // namespace logpx
