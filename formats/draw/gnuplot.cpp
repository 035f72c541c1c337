#include "formats/draw/gnuplot.hpp"

#include "formats/draw/png.hpp"
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace logpx::draw {

namespace {

namespace fs = std::filesystem;

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (spool_folder() / "logpx-chart-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) fail_errno(pattern, errno);
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// What posix_spawn is to do between fork and exec, and how the child treats signals.
class SpawnPlan {
 public:
  explicit SpawnPlan(const fs::path& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "stderr", O_WRONLY | O_CREAT, 0600);
    posix_spawnattr_init(&attributes_);
    // What this process ignores, the child must die of: a file limit ends it with a status.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  [[nodiscard]] int run(std::vector<std::string> words, std::vector<std::string> environment) {
    const auto pointers = [](std::vector<std::string>& texts) {
      std::vector<char*> result;
      for (std::string& text : texts) result.push_back(text.data());
      result.push_back(nullptr);
      return result;
    };
    pid_t child = 0;
    const int error = posix_spawnp(&child, words.front().c_str(), &actions_, &attributes_,
                                   pointers(words).data(), pointers(environment).data());
    if (error == ENOENT)
      fail(ErrorKind::usage, "gnuplot", "is not installed, and it draws SVG and PNG",
           "-o FILE.gp writes the script to draw elsewhere; Debian's package is gnuplot-nox");
    if (error != 0) fail_errno("gnuplot", error);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR) fail_errno("gnuplot", errno);
    return status;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// The user's environment without what would change the picture.
std::vector<std::string> plain_environment() {
  std::vector<std::string> result = {"LC_ALL=C.UTF-8"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool changes = text.starts_with("LC_") || text.starts_with("LANG") ||
                         text.starts_with("GNUPLOT") || text.starts_with("GNUTERM");
    if (!changes) result.emplace_back(text);
  }
  return result;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string escaped_for_xml(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '&') result += "&amp;";
    else if (letter == '<') result += "&lt;";
    else if (letter == '>') result += "&gt;";
    else if (static_cast<unsigned char>(letter) >= 32 || letter == '\n') result += letter;
  }
  return result;
}

// Puts `text` where gnuplot describes itself.
void replace_element(std::string& svg, const std::string& name, const std::string& text) {
  const std::size_t begin = svg.find('<' + name + '>'), end = svg.find("</" + name + '>');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return;
  const std::size_t inside = begin + name.size() + 2;
  svg.replace(inside, end - inside, escaped_for_xml(text));
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

bool is_whole_svg(std::string_view svg) {
  while (!svg.empty() && (svg.back() == '\n' || svg.back() == '\r')) svg.remove_suffix(1);
  return svg.starts_with("<?xml") && svg.ends_with("</svg>");
}

// PNG texts are Latin-1: what is beyond ASCII becomes '?'.
std::string ascii(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 128) result += letter;
    else if ((byte & 0xc0u) == 0xc0u) result += '?';
  }
  return result;
}

// The last line of gnuplot's complaints that says something.
std::string complaint(const fs::path& folder) {
  std::string text = read_text_file((folder / "stderr").string(), std::uint64_t{1} << 20);
  std::replace(text.begin(), text.end(), '\t', ' ');
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.rfind('\n');
  text = line == std::string::npos ? text : text.substr(line + 1);
  return text.empty() ? "no word why"
                      : text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

}  // namespace

std::vector<std::byte> draw_chart(const Chart& chart, ChartFormat format) {
  const std::string script = gnuplot_script(chart);
  const ScratchFolder scratch;
  OutputFile file((scratch.path() / "chart.gp").string(), Overwrite::refuse);
  write_text_file(file, script);
  file.commit();

  const std::string word = format == ChartFormat::svg ? "svg" : "png";
  const std::string choice = "picture='" + word + "'; file='chart'";
  const int status = SpawnPlan(scratch.path())
                         .run({"gnuplot", "-d", "-e", choice, "chart.gp"}, plain_environment());
  stop::check();  // an interrupt from the keyboard has ended gnuplot too
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail(ErrorKind::io, "gnuplot", "failed: " + complaint(scratch.path()));
  std::string picture = read_text_file((scratch.path() / "chart").string());

  if (format == ChartFormat::png) {
    const std::vector<std::byte> png = bytes_of(picture);
    if (!is_whole_png(png))
      fail(ErrorKind::io, "gnuplot", "the picture was cut short: no space left on device?");
    return with_png_text(png, "Description",
                         ascii(chart.title + '\n' + joined_lines(chart.sources)));
  }
  if (!is_whole_svg(picture))
    fail(ErrorKind::io, "gnuplot", "the picture was cut short: no space left on device?");
  replace_element(picture, "title", chart.title);
  replace_element(picture, "desc", joined_lines(chart.sources));
  return bytes_of(picture);
}

}  // namespace logpx::draw
