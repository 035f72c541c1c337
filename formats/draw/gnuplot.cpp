#include "formats/draw/gnuplot.hpp"

#include "formats/draw/png.hpp"
#include "formats/draw/unicode.hpp"
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/file/unfinished.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <span>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace logpx::draw {
namespace {

// The words after the last "KEY " of the trailer: "13 0 R" of "/Root".
std::string trailer_entry(std::string_view pdf, std::string_view key) {
  const std::size_t trailer = pdf.rfind("trailer");
  const std::size_t at = pdf.find(key, trailer == std::string_view::npos ? pdf.size() : trailer);
  if (at == std::string_view::npos)
    fail(ErrorKind::io, "gnuplot", "wrote a PDF whose trailer has no " + std::string(key));
  const std::size_t begin = pdf.find_first_not_of(" \n", at + key.size());
  return std::string(pdf.substr(begin, pdf.find_first_of("/\n>", begin) - begin));
}

// A text of a PDF: UTF-16 with its mark, in hexadecimal digits.
std::string pdf_text(std::string_view text) {
  std::string digits = "<feff";
  for (const char32_t letter : letters_of(text)) {
    const auto code = static_cast<std::uint32_t>(letter);
    if (code < 0x10000) digits += fmt::format("{:04x}", code);
    else
      digits += fmt::format("{:04x}{:04x}", 0xd800 + ((code - 0x10000) >> 10),
                            0xdc00 + ((code - 0x10000) & 0x3ff));
  }
  return digits + '>';
}

// Blanks in the place of the date, so that nothing else in the file moves.
void blank_date(std::string& pdf) {
  const std::size_t begin = pdf.rfind("/CreationDate (");
  if (begin == std::string::npos) return;
  const std::size_t end = pdf.find(')', begin);
  if (end != std::string::npos) pdf.replace(begin, end + 1 - begin, end + 1 - begin, ' ');
}

}  // namespace

// An update at the end of the file: a new object of facts, its place, a trailer that names it.
std::string with_pdf_facts(std::string pdf, const PdfFacts& facts) {
  const std::string before = trailer_entry(pdf, "startxref"), info = trailer_entry(pdf, "/Info");
  const std::string number = info.substr(0, info.find(' '));
  blank_date(pdf);
  if (!pdf.ends_with('\n')) pdf += '\n';
  const std::size_t object = pdf.size();
  pdf += fmt::format("{} 0 obj\n<< /Title {} /Subject {} >>\nendobj\n", number,
                     pdf_text(facts.title), pdf_text(facts.subject));
  const std::size_t table = pdf.size();
  pdf += fmt::format("xref\n{} 1\n{:010} 00000 n \ntrailer\n", number, object);
  pdf += fmt::format("<< /Size {} /Root {} /Info {} 0 R /Prev {} >>\nstartxref\n{}\n%%EOF\n",
                     trailer_entry(pdf.substr(0, object), "/Size"),
                     trailer_entry(pdf.substr(0, object), "/Root"), number, before, table);
  return pdf;
}

bool is_whole_pdf(std::string_view pdf) {
  while (!pdf.empty() && (pdf.back() == '\n' || pdf.back() == '\r')) pdf.remove_suffix(1);
  return pdf.starts_with("%PDF-") && pdf.ends_with("%%EOF");
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view scratch_prefix = "logpx-chart-";

bool takes_lock(int folder) { return flock(folder, LOCK_EX | LOCK_NB) == 0; }
int open_folder(const fs::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// What killed runs left: folders like this whose lock nobody holds.
void remove_dead_folders() {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(spool_folder(), ignored)) {
    if (!entry.path().filename().string().starts_with(scratch_prefix)) continue;
    const int folder = open_folder(entry.path());
    if (folder < 0) continue;
    if (takes_lock(folder)) fs::remove_all(entry.path(), ignored);
    close(folder);
  }
}

class ScratchFolder {
 public:
  ScratchFolder() {
    remove_dead_folders();
    while (true) {
      std::string pattern = (spool_folder() / scratch_prefix).string() + "XXXXXX";
      if (mkdtemp(pattern.data()) == nullptr) fail_errno(pattern, errno);
      path_ = pattern;
      folder_ = open_folder(path_);
      if (folder_ < 0) continue;
      // Before it was locked, another run may have taken it for a dead one's. Some file systems
      // have no locks; there nobody removes it.
      const bool ours = takes_lock(folder_) || errno != EWOULDBLOCK;
      if (ours && names_descriptor(AT_FDCWD, path_.string(), folder_)) return;
      close(folder_);
    }
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    close(folder_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  int folder_ = -1;
};

// What posix_spawn is to do between fork and exec, and how the child treats signals.
class SpawnPlan {
 public:
  explicit SpawnPlan(const fs::path& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "stdout", O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "stderr", O_WRONLY | O_CREAT, 0600);
    posix_spawnattr_init(&attributes_);
    // Signals that this process ignores must end the child: then a file limit shows in its status.
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
      fail(ErrorKind::usage, "gnuplot", "is not installed; it is needed for SVG, PNG and PDF",
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

// Puts `text` in the place of gnuplot's description of itself.
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

bool is_whole(std::string_view picture, ChartFormat format) {
  switch (format) {
    case ChartFormat::svg: return is_whole_svg(picture);
    case ChartFormat::png: return is_whole_png(std::as_bytes(std::span(picture)));
    case ChartFormat::pdf: return is_whole_pdf(picture);
  }
  return false;
}

const char* word_of(ChartFormat format) {
  switch (format) {
    case ChartFormat::svg: return "svg";
    case ChartFormat::png: return "png";
    case ChartFormat::pdf: break;
  }
  return "pdf";
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

// Adds the chart's title and the commands behind it as the picture's description.
std::vector<std::byte> described(std::string picture, ChartFormat format, const Chart& chart) {
  const std::string sources = joined_lines(chart.sources);
  switch (format) {
    case ChartFormat::svg:
      replace_element(picture, "title", chart.title);
      replace_element(picture, "desc", sources);
      break;
    case ChartFormat::png:
      return with_png_text(bytes_of(picture), "Description", ascii(chart.title + '\n' + sources));
    case ChartFormat::pdf:
      picture = with_pdf_facts(std::move(picture), {.title = chart.title, .subject = sources});
      break;
  }
  return bytes_of(picture);
}

// The last line of gnuplot's messages that is not empty.
std::string complaint(const fs::path& folder) {
  std::string text = read_text_file((folder / "stderr").string(), std::uint64_t{1} << 20);
  std::replace(text.begin(), text.end(), '\t', ' ');
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.rfind('\n');
  text = line == std::string::npos ? text : text.substr(line + 1);
  return text.empty() ? "without saying why"
                      : text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

// Runs it in this folder with these arguments; only its exit status counts.
void run_gnuplot(const ScratchFolder& scratch, std::vector<std::string> words) {
  words.insert(words.begin(), {"gnuplot", "-d"});
  const int status = SpawnPlan(scratch.path()).run(std::move(words), plain_environment());
  stop::check();  // an interrupt from the keyboard has ended gnuplot too
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ) fail_errno("gnuplot", EFBIG);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail(ErrorKind::io, "gnuplot", "failed: " + complaint(scratch.path()));
}

// Whether one font on this machine has all of these letters.
bool some_font_has(const ScratchFolder& scratch, const std::u32string& letters) {
  std::string wanted = ":charset=";
  for (const char32_t letter : letters)
    wanted += fmt::format("{:x} ", static_cast<std::uint32_t>(letter));
  try {
    const int status =
        SpawnPlan(scratch.path()).run({"fc-list", wanted, "family"}, plain_environment());
    const std::string fonts = read_text_file((scratch.path() / "stdout").string());
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && !fonts.empty();
  } catch (const Error&) {
    return false;  // no fc-list
  }
}

// The letters of a script that no font here has: Cairo would draw boxes larger than the picture.
std::u32string undrawable(const ScratchFolder& scratch, const std::string& script) {
  constexpr char32_t first_doubtful = 0x530;        // Latin, Greek and Cyrillic are in every font
  const std::u32string_view own = U"\u2264\u2265";  // bounds: as usual as these
  std::u32string doubtful;
  for (const char32_t letter : letters_of(script))
    if (letter >= first_doubtful && own.find(letter) == own.npos &&
        doubtful.find(letter) == doubtful.npos)
      doubtful += letter;
  if (doubtful.empty() || some_font_has(scratch, doubtful)) return {};
  std::erase_if(doubtful,
                [&](char32_t letter) { return some_font_has(scratch, std::u32string(1, letter)); });
  return doubtful;
}

std::string with_drawable_letters(const ScratchFolder& scratch, const std::string& script) {
  const std::u32string missing = undrawable(scratch, script);
  if (missing.empty()) return script;
  std::string text;
  for (const char32_t letter : letters_of(script))
    text += missing.find(letter) == missing.npos ? utf8_of(letter) : "?";
  return text;
}

}  // namespace

std::string gnuplot_version() {
  const ScratchFolder scratch;
  run_gnuplot(scratch,
              {"-e", "set print 'version'; print GPVAL_VERSION, 'patchlevel', GPVAL_PATCHLEVEL"});
  std::string text = "gnuplot " + read_text_file((scratch.path() / "version").string());
  text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
  return text;
}

std::vector<std::byte> draw_chart(const Chart& chart, ChartFormat format) {
  const ScratchFolder scratch;
  std::string script = gnuplot_script(chart);
  if (format != ChartFormat::svg) script = with_drawable_letters(scratch, script);
  OutputFile file((scratch.path() / "chart.gp").string(), Overwrite::refuse);
  write_text_file(file, script);
  file.commit();

  const std::string choice = fmt::format("picture='{}'; file='chart'", word_of(format));
  run_gnuplot(scratch, {"-e", choice, "chart.gp"});
  std::string picture = read_text_file((scratch.path() / "chart").string());
  if (!is_whole(picture, format))
    fail(ErrorKind::io, "gnuplot", "the picture was cut short: no space left on device?");
  return described(std::move(picture), format, chart);
}

}  // namespace logpx::draw
