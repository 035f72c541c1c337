// run_tool: from argv to the exit code. Users rely on the order of the steps.
#include "tools/frame/app.hpp"

#include "formats/file/input.hpp"
#include "formats/file/signature.hpp"
#include "formats/file/suffix.hpp"
#include "formats/json/fields_json.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/memory_limit.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/restart.hpp"
#include "libcore/base/stop.hpp"
#include "tools/frame/cli.hpp"
#include "tools/frame/common_options.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/help.hpp"
#include "tools/frame/messages.hpp"
#include "tools/frame/report_table.hpp"
#include "tools/frame/settings.hpp"
#include "tools/frame/terminal.hpp"
#include "tools/frame/version.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

namespace logpx {
namespace {

// A standard stream that is closed at the start would give its number to the next file opened, and
// messages would land in that file. These stand-ins fail when they are used.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest is free
}

// BLAS chooses its kernels before main() begins.
void take_faster_kernel(const ToolSpec& spec, char** argv) {
  if (spec.compute_facts == nullptr || std::getenv("OPENBLAS_CORETYPE") != nullptr) return;
  restart_with("OPENBLAS_CORETYPE", spec.compute_facts().faster_kernel, argv);
}

void prepare_process() {
  // An arena for each thread takes 64 MiB of a limit at once, while others have looked for room.
  if (memory_is_limited()) mallopt(M_ARENA_MAX, 1);
  occupy_standard_streams();
  // A file limit or a closed pipe is an error code like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = stop::on_signal;  // without SA_RESTART: a blocked read ends
  sigemptyset(&action.sa_mask);
  for (const int signal : stop::signals) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup, &
  }
}

// Prints text on stdout; a reader that leaves early is not an error.
void print_text(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE) return;
    if (count < 0) fail_errno("stdout", errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (close(dup(STDOUT_FILENO)) != 0) fail_errno("stdout", errno);
}

std::vector<std::string> paths_of(const Field& field) {
  if (field.repeats()) return field.items();
  const std::string path = field.text();
  return path.empty() ? std::vector<std::string>() : std::vector<std::string>{path};
}

// "d.h5:test" names the file d.h5, unless a file of the whole name exists.
std::string file_of(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(name)) return name;
  return name.substr(0, colon);
}

bool is_stdout(const std::string& target) { return target == "-" || target == "/dev/stdout"; }

// Whether two paths name the same file, which need not exist.
bool same_place(const std::string& a, const std::string& b) {
  return a == b || same_file(a, b) || place_of(a) == place_of(b);
}

bool is_inside(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path outer = fs::canonical(folder, ignored), inner = fs::canonical(file, ignored);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

int say_interrupted(Messages& messages, const Interrupted& interrupted, const char* outcome) {
  messages.warn(std::string("interrupted by SIG") + sigabbrev_np(interrupted.signal()) + "; " +
                outcome);
  return 128 + interrupted.signal();
}

}  // namespace

class ToolFrame {
 public:
  ToolFrame(const ToolSpec& spec, const ToolHooks& hooks, Messages& messages)
      : spec_(spec), hooks_(hooks), messages_(messages) {
    hooks_.describe(fields_);
    common_.describe(fields_);
    if (const char* when = std::getenv("LOGPX_PROGRESS"); when != nullptr)
      fields_.find_key("progress")->read(when, "LOGPX_PROGRESS", Origin::fallback);
  }

  int run(const std::vector<std::string>& command) {
    if (command.size() == 1 && !(spec_.filters_stdin && isatty(STDIN_FILENO) == 0)) {
      const std::string text = short_usage(spec_);
      write_all(STDERR_FILENO, std::as_bytes(std::span(text)), "stderr");
      return 2;
    }
    if (command.size() > 1 && command[1] == "--candidates")
      return print_text(candidates(fields_, {command.begin() + 2, command.end()})), 0;
    const Arguments arguments =
        parse_arguments(spec_.name, fields_, {command.begin() + 1, command.end()});
    if (arguments.help)
      return print_text(help_text(spec_, fields_, *arguments.help, terminal_columns())), 0;
    if (arguments.version) return print_text(version_text(spec_)), 0;
    read_external(arguments, spec_.name);
    messages_.configure(common_.quiet ? -1 : common_.verbose, common_.color, common_.progress);
    if (!common_.generate.empty()) return print_text(generated()), 0;
    resolve_settings(fields_, {spec_, hooks_, common_, arguments});
    if (common_.print_config) return print_text(settings_json(fields_).dump() + '\n'), 0;
    check_required(fields_, spec_.name);
    check_files();

    App app(spec_, fields_, common_, messages_, command);
    try {
      hooks_.run(app);
    } catch (const Interrupted& interrupted) {
      return say_interrupted(
          messages_, interrupted,
          app.outputs_.empty() ? "no output was made" : "outputs that were complete stay");
    }
    try {
      finish(app);
    } catch (...) {
      remove_outputs(app);
      throw;
    }
    for (const auto& act : app.last_acts_) act();
    return app.exit_code_;
  }

 private:
  std::string generated() const {
    if (common_.generate == "man") return manual_options(spec_, fields_);
    if (common_.generate == "complete-bash") return bash_completion(spec_);
    if (common_.generate == "complete-zsh") return zsh_completion(spec_);
    if (common_.generate == "complete-fish") return fish_completion(spec_);
    return describe_json(spec_, fields_);
  }

  // A folder in the place of an artifact.
  static void refuse_folder(const Field& field, const std::string& path) {
    if (field.files().find("h5") != std::string::npos)
      fail(ErrorKind::data, path, "is a folder, expected a file", command_for_folder(path));
  }

  // Everything about files that can be refused before any work is done.
  void check_files() {
    std::vector<std::string> inputs, folders, outputs;
    for (const Field& field : fields_.all()) {
      const bool input = !field.is_output() && field.formats().empty() && !field.files().empty();
      const bool may_be_folder = input && field.files().ends_with('/');
      for (const std::string& path : paths_of(field)) {
        if (field.is_output()) outputs.push_back(path);
        if (!input) continue;
        std::error_code unknown;  // check_readable() says what is wrong with it
        const bool folder = std::filesystem::is_directory(path, unknown);
        if (folder && !may_be_folder) refuse_folder(field, path);
        if (folder && may_be_folder) folders.push_back(path);
        else inputs.push_back(file_of(path));
      }
    }
    if (!spec_.opens_inputs_itself)
      for (const std::string& input : inputs) check_readable(input);
    if (std::count(inputs.begin(), inputs.end(), "-") > 1)
      fail(ErrorKind::usage, "-", "stdin is given for two inputs");
    if (common_.report == "-")
      fail(ErrorKind::usage, "--report", "cannot be stdout", "--json prints the report there");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      check_inputs_stay(outputs[i], inputs, folders);
      for (std::size_t j = 0; j < i; ++j)
        if (same_place(outputs[i], outputs[j]))
          fail(ErrorKind::usage, outputs[i], "is named for two outputs");
      if (is_stdout(outputs[i])) payload_on_stdout_ = true;
    }
    check_suffixes();
    for (const std::string& output : outputs)
      OutputFile::check_target(output, common_.force ? Overwrite::replace : Overwrite::refuse);
    if (payload_on_stdout_ && common_.json)
      fail(ErrorKind::usage, "--json", "stdout already carries the output (-o -)",
           "--report FILE writes the report to a file");
  }

  // A suffix is a promise, also for what is written besides the main output (--log).
  void check_suffixes() const {
    for (const Field& field : fields_.all())
      if (field.is_output() || !field.formats().empty())
        for (const std::string& path : paths_of(field))
          if (!std::filesystem::is_directory(path))  // refused elsewhere: a folder is no output
            (void)format_for(path, format_choice(fields_, field));
  }

  static void check_inputs_stay(const std::string& output, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& folders) {
    for (const std::string& input : inputs)
      if (same_file(input, output))
        fail(ErrorKind::refused, output, "is also an input; an input is never replaced",
             "choose another name");
    if (!std::filesystem::is_regular_file(output)) return;
    for (const std::string& folder : folders)
      if (is_inside(output, folder))
        fail(ErrorKind::refused, output,
             "lies in the input folder " + folder + "; an input is never replaced",
             "choose another name");
  }

  // Without exit code 0 there is no output: if the report cannot be written, the artifact is
  // removed. One that replaced an older file stays, since that file is gone already.
  void remove_outputs(const App& app) const {
    if (common_.force) return;
    std::error_code ignored;
    for (const FileRecord& output : app.outputs_)
      if (std::filesystem::is_regular_file(output.path, ignored))
        std::filesystem::remove(output.path, ignored);
  }

  // The one place where what is printed depends on who reads it.
  [[nodiscard]] bool for_people() const {
    return spec_.kind == ToolKind::answer && !common_.json && stdout_is_terminal();
  }

  [[nodiscard]] static std::string table_of(const App& app) {
    Json report = app.report();
    if (!app.shown_.is_null()) report.set("result", app.shown_);
    return report_table(report, terminal_columns());
  }

  void finish(App& app) {
    if (common_.dry_run) return;
    const bool wants_report = spec_.kind == ToolKind::answer || common_.json;
    std::string text;
    if ((wants_report && !payload_on_stdout_) || !common_.report.empty())
      text = app.report().dump() + '\n';
    if (!common_.report.empty()) {
      // Names that a tool derives are not known before; most tools look themselves before the work.
      for (const FileRecord& output : app.outputs_)
        if (!is_stream(output.path) && same_place(output.path, common_.report))
          fail(ErrorKind::usage, "--report", "is also an output", "choose another name");
      OutputFile out(common_.report, app.overwrite());
      write_text_file(out, text);
      out.commit();
    }
    if (app.printed_ && !common_.json) print_text(*app.printed_);
    else if (wants_report && !payload_on_stdout_) print_text(for_people() ? table_of(app) : text);
    messages_.detail("wall " + human_seconds(wall_seconds() - app.wall_start_) + ", cpu " +
                     human_seconds(cpu_seconds() - app.cpu_start_));
    // Piped output has no name for the next command.
    const bool gone = std::ranges::any_of(
        app.outputs_, [](const FileRecord& output) { return is_stream(output.path); });
    if (!app.next_.empty() && !gone) messages_.next(app.next_);
  }

  const ToolSpec& spec_;
  const ToolHooks& hooks_;
  Messages& messages_;
  CommonOptions common_;
  Fields fields_;
  bool payload_on_stdout_ = false;
};

int run_tool(int argc, char** argv, const ToolSpec& spec, const ToolHooks& hooks) {
  Messages messages(spec.name);
  if (launched_rank() > 0) messages.only_errors();
  try {
    take_faster_kernel(spec, argv);
    prepare_process();
    return ToolFrame(spec, hooks, messages).run({argv, argv + argc});
  } catch (const Error& error) {
    return say_failure(messages, error);
  } catch (const Interrupted& interrupted) {
    return say_interrupted(messages, interrupted, "no output was made");
  } catch (const ReaderLeft&) {
    return 0;
  } catch (const std::bad_alloc&) {
    messages.error("out of memory");
  } catch (const std::exception& error) {
    messages.error(error.what());
  }
  return 1;
}

}  // namespace logpx
