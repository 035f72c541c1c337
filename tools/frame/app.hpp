// The frame of every tool: options, help, settings, signals, outputs, reports and exit codes. A
// tool is a struct of options that describes itself and a function that does the one thing:
//
//   struct Options {
//     std::string data, output;
//     void describe(Fields& f) {
//       f.add("dataset", data, "what to show").positional().required().files("*.h5");
//       f.add("output", output, "where to write the picture").short_name('o').metavar("PATH")
//           .output().required().writes({"png"});
//     }
//   };
//   void run(App& app, Options& options) {
//     DatasetFile data(options.data);
//     app.add_input({.role = "dataset", .path = options.data, .kind = "dataset",
//                    .content_hash = data.content_hash(), .provenance = data.provenance()});
//     if (app.dry_run()) return app.say("would write " + options.output);
//     OutputFile out(options.output, app.overwrite());
//     // ...
//     out.commit();
//     app.add_output({.role = "picture", .path = options.output, .kind = "png",
//                     .bytes = out.bytes()});
//     app.say("64 images -> " + options.output);
//   }
//   int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
//
// Before run() the frame has read all settings, refused contradictions, compared every output with
// every input, and checked that the outputs can be made. After it comes the report.
#pragma once

#include "formats/file/output.hpp"
#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "tools/frame/help.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class Error;
class Messages;
class Progress;
struct CommonOptions;

// One line of the report's `inputs` or `outputs`.
struct FileRecord {
  std::string role = {}, path = {}, kind = {};
  std::optional<std::uint64_t> bytes = {};  // inputs: taken from the file system when absent
  std::string content_hash = {};            // empty: a plain file is hashed whole
  Json provenance = {};                     // of an input artifact; null otherwise
  // The rows of a dataset that were used: from the first, up to and without the second.
  std::optional<std::pair<std::int64_t, std::int64_t>> rows = {};
};

class App {
 public:
  App(const ToolSpec& spec, Fields& fields, CommonOptions& common, Messages& messages,
      std::vector<std::string> command);
  ~App();

  [[nodiscard]] Rng rng() const;
  [[nodiscard]] Workers& workers();  // made at first use
  [[nodiscard]] Overwrite overwrite() const;
  [[nodiscard]] bool dry_run() const;
  [[nodiscard]] bool is_verbose() const;
  [[nodiscard]] std::uint64_t memory() const;  // bytes that the tool may plan for
  [[nodiscard]] const Fields& fields() const { return fields_; }
  [[nodiscard]] const std::vector<std::string>& command() const { return command_; }  // argv

  // The format, by its suffix ("svg"), that the name of this output chooses.
  [[nodiscard]] std::string format_of(const std::string& output) const;

  void add_input(FileRecord record);
  void add_output(FileRecord record);

  void say(const std::string& text);     // the summary line; silent with -q
  void detail(const std::string& text);  // only with -v
  void warn(const std::string& text);    // stderr and the report's warnings; each text once
  // Reports one bad input among several at once; the exit code is that of the first.
  void failed(const Error& error);
  // Registers what is done last, after the report, because it cannot be undone: removing an input.
  void at_end(std::function<void()> act) { last_acts_.push_back(std::move(act)); }
  // For a rank that must end the others: prints the error and returns the exit code.
  [[nodiscard]] int say_error(const Error& error);
  void next(const std::string& command);  // the one hint at the end; silent with -q
  // A path as a word of that hint; piped input is gone, so `else_` stands in its place.
  [[nodiscard]] static std::string again(const std::string& path, const std::string& else_);
  [[nodiscard]] std::unique_ptr<Progress> progress(const std::string& unit, double total);

  [[nodiscard]] Json& result() { return result_; }  // an object to fill
  // What people see of the result at a terminal, where that is laid out in another way.
  [[nodiscard]] Json& shown() { return shown_; }
  void add_series(Json series) { series_.push(std::move(series)); }
  // The report without result: what goes into /provenance of an artifact with this content hash.
  [[nodiscard]] Json provenance() const;
  [[nodiscard]] Json report() const;

  // Plain text instead of the report on stdout (inspect --hash, make-data --list).
  void print(const std::string& text);

 private:
  friend class ToolFrame;
  const ToolSpec& spec_;
  Fields& fields_;
  CommonOptions& common_;
  Messages& messages_;
  std::vector<std::string> command_;
  std::string started_;
  double wall_start_, cpu_start_;
  std::vector<FileRecord> inputs_, outputs_;
  std::vector<std::string> warnings_;
  std::string next_;
  Json result_ = Json::object(), shown_, series_ = Json::array();
  std::optional<std::string> printed_;
  int exit_code_ = 0;  // of the first bad input
  std::vector<std::function<void()>> last_acts_;
  std::unique_ptr<Workers> workers_;
};

struct ToolHooks {
  std::function<void(Fields&)> describe;
  std::function<void(const std::string&)> apply_preset;  // may be empty
  std::function<void(App&)> run;
};
[[nodiscard]] int run_tool(int argc, char** argv, const ToolSpec& spec, const ToolHooks& hooks);

// Options may have `void apply_preset(const std::string&)` next to a field named "preset".
template <typename Options>
[[nodiscard]] int run_tool(int argc, char** argv, const ToolSpec& spec,
                           void (*run)(App&, Options&)) {
  Options options;
  ToolHooks hooks;
  hooks.describe = [&options](Fields& fields) { options.describe(fields); };
  hooks.run = [&options, run](App& app) { run(app, options); };
  if constexpr (requires { options.apply_preset(std::string()); })
    hooks.apply_preset = [&options](const std::string& name) { options.apply_preset(name); };
  return run_tool(argc, argv, spec, hooks);
}

}  // namespace logpx
