#include "formats/h5/errors.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <hdf5.h>

#include <optional>
#include <string_view>
#include <vector>

namespace logpx::h5 {
namespace {

struct Entry {
  hid_t minor;
  std::string text, where;
};

std::string words(const char* text) { return text == nullptr ? "" : text; }

herr_t collect(unsigned, const H5E_error2_t* error, void* entries) {
  const std::string file = words(error->file_name);
  static_cast<std::vector<Entry>*>(entries)->push_back({error->min_num, words(error->desc),
                                                        words(error->func_name) + " (" +
                                                            file.substr(file.rfind('/') + 1) + ':' +
                                                            std::to_string(error->line) + ')'});
  return 0;
}

// Errors carry no stack of another library; this one waits here until somebody asks.
struct LastStack {
  Place place;
  std::vector<std::string> lines;
};
LastStack& last_stack() {
  thread_local LastStack stack;
  return stack;
}

// "... errno = 28, error message = ..." is written by HDF5's file drivers.
std::optional<int> errno_in(std::string_view text) {
  static constexpr std::string_view mark = "errno = ";
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  text = text.substr(at + mark.size());
  const auto number = parse_integer(text.substr(0, text.find(',')));
  if (!number || *number <= 0 || *number > 4095) return std::nullopt;
  return static_cast<int>(*number);
}

// "truncated file: eof = 96, sblock->base_addr = 0, stored_eof = 2048", less the address.
std::string without_address(std::string text) {
  const std::size_t begin = text.find("sblock->base_addr");
  const std::size_t end = text.find("stored_eof");
  if (begin != std::string::npos && end != std::string::npos && begin < end)
    text.erase(begin, end - begin);
  return text;
}

}  // namespace

void prepare_library() {
  static const bool once = [] { return H5dont_atexit() >= 0; }();
  // Every time: on each thread anew, and another library may have put its own handler there.
  const bool silenced = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  LOGPX_ASSERT(once && silenced);
}

void fail_from_stack(const std::string& subject, Access access, Place where) {
  std::vector<Entry> entries;
  const bool walked = H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &entries) >= 0;
  H5Eclear2(H5E_DEFAULT);
  last_stack() = {where, {}};
  for (const Entry& entry : entries) last_stack().lines.push_back(entry.where + ": " + entry.text);
  if (!walked || entries.empty())
    fail(access == Access::reading ? ErrorKind::data : ErrorKind::io, subject,
         "HDF5 failed and gives no reason", "", where);
  for (const Entry& entry : entries) {
    if (const auto number = errno_in(entry.text)) fail_errno(subject, *number, "", where);
    if (entry.minor == H5E_TRUNCATED)
      fail(ErrorKind::data, subject, without_address(entry.text), "", where);
  }
  for (const Entry& entry : entries)
    if (entry.minor == H5E_NOTHDF5)
      throw NotHdf5(ErrorKind::data, subject, "is not an HDF5 file", "", where);
  if (access == Access::reading)
    fail(ErrorKind::data, subject, "is damaged: " + entries.front().text, "", where);
  fail(ErrorKind::io, subject, "cannot be written: " + entries.front().text, "", where);
}

std::vector<std::string> stack_behind(const Error& error) {
  const Place &its = error.where(), &ours = last_stack().place;
  const bool same = its.line == ours.line && std::string_view(its.file) == ours.file;
  return same ? last_stack().lines : std::vector<std::string>();
}

}  // namespace logpx::h5
