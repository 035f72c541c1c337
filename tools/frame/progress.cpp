#include "tools/frame/progress.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "tools/frame/messages.hpp"

#include <cstdlib>

namespace logpx {
namespace {

constexpr double redraw_seconds = 1.0 / 6;

double log_seconds() {
  const char* text = std::getenv("LOGPX_LOG_INTERVAL");
  const auto interval = text != nullptr ? parse_duration(text) : std::nullopt;
  return interval ? interval->seconds : 30;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(seconds);
  const auto two = [](long long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::string hours = whole >= 3600 ? std::to_string(whole / 3600) + ':' : "";
  return hours + two(whole / 60 % 60) + ':' + two(whole % 60);
}

}  // namespace

Progress::Progress(Messages& messages, std::string unit, double total)
    : messages_(messages),
      unit_(std::move(unit)),
      total_(total),
      start_(wall_seconds()),
      last_drawn_(start_) {}

Progress::~Progress() { erase(); }

std::string Progress::line(double done, const std::string& note) const {
  std::string text = unit_ + ' ' + to_text(done);
  if (total_ > 0) text += '/' + to_text(total_);
  return note.empty() ? text : text + "  " + note;
}

std::string Progress::eta(double done) const {
  const double elapsed = wall_seconds() - start_;
  if (total_ <= 0 || done <= 0 || elapsed <= 1) return "";
  return "  eta " + clock_text(elapsed * (total_ - done) / done);
}

void Progress::update(double done, const std::string& note) {
  stop::check();
  if (!messages_.logs_progress()) return;
  const double now = wall_seconds();
  if (now - last_drawn_ < (messages_.redraws() ? redraw_seconds : log_seconds())) return;
  last_drawn_ = now;
  messages_.draw(line(done, note), eta(done));
}

void Progress::erase() { messages_.erase(); }

}  // namespace logpx
