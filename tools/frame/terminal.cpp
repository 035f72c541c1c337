#include "tools/frame/terminal.hpp"

#include "libcore/base/number_text.hpp"

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace logpx {
namespace {

constexpr std::size_t usual_columns = 80;

}  // namespace

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

std::size_t terminal_columns() {
  if (const char* text = std::getenv("COLUMNS"); text != nullptr)
    if (const auto columns = parse_integer(text); columns && *columns > 0)
      return static_cast<std::size_t>(*columns);
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : usual_columns;
}

}  // namespace logpx
