#include "formats/import/text_spool.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace logpx {
namespace {

constexpr std::size_t texts_waiting = 1 << 20, read_ahead = 1 << 16;
using Length = std::uint32_t;

}  // namespace

TextSpool::TextSpool() : file_(spool_folder()) {}

void TextSpool::put(std::string_view text) {
  const auto length = static_cast<Length>(text.size());
  const auto size = std::as_bytes(std::span(&length, 1)), bytes = std::as_bytes(std::span(text));
  waiting_.insert(waiting_.end(), size.begin(), size.end());
  waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
  if (waiting_.size() >= texts_waiting) flush();
}

void TextSpool::flush() {
  stop::check();
  file_.append(waiting_);
  waiting_.clear();
}

TextSpool::Reader::Reader(TextSpool& spool) : file_(spool.file_) { spool.flush(); }

void TextSpool::Reader::fill(std::size_t least) {
  if (buffer_.size() - used_ >= least) return;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ = 0;
  const std::size_t kept = buffer_.size(),
                    more = std::min<std::uint64_t>(std::max(least - kept, read_ahead),
                                                   file_.size() - read_);
  buffer_.resize(kept + more);
  file_.read_at(read_, std::span(buffer_).subspan(kept));
  read_ += more;
}

std::string_view TextSpool::Reader::next() {
  Length length = 0;
  fill(sizeof length);
  std::memcpy(&length, buffer_.data() + used_, sizeof length);
  used_ += sizeof length;
  fill(length);
  const std::string_view text(reinterpret_cast<const char*>(buffer_.data()) + used_, length);
  used_ += length;
  return text;
}

void TextSpool::Reader::go_to(std::uint64_t place) {
  const std::uint64_t begin = read_ - buffer_.size();
  if (place >= begin && place <= read_) {
    used_ = static_cast<std::size_t>(place - begin);
    return;
  }
  buffer_.clear();
  used_ = 0;
  read_ = place;
}

}  // namespace logpx
