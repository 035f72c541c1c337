#include "tools/frame/app.hpp"

#include "formats/file/input.hpp"
#include "formats/file/suffix.hpp"
#include "formats/json/fields_json.hpp"
#include "formats/report.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/frame/common_options.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/version.hpp"

#include <algorithm>
#include <filesystem>

namespace logpx {
namespace {

namespace fs = std::filesystem;

bool is_plain_file(const std::string& path) {
  std::error_code error;
  return path != "-" && fs::is_regular_file(path, error);
}

std::string hash_of_file(const std::string& path) {
  ByteReader reader(path);
  Sha256 hash;
  std::vector<std::byte> buffer(1 << 20);
  while (const std::size_t count = reader.read(buffer)) hash.update(std::span(buffer).first(count));
  return hash.hex();
}

Json record_json(const FileRecord& record) {
  const std::string path =
      reproducible_build() ? fs::path(record.path).filename().string() : record.path;
  Json json = Json::object();
  json.set("role", record.role).set("path", path).set("kind", record.kind);
  json.set("bytes", record.bytes ? Json(*record.bytes) : Json());
  json.set("content_hash", record.content_hash.empty() ? Json() : Json(record.content_hash));
  if (record.rows) json.set("rows", Json::array({record.rows->first, record.rows->second}));
  return json;
}

// Keeps only the hashes of an input's ancestors.
Json without_ancestors(Json provenance) {
  if (Json* inputs = provenance.find("inputs"); inputs != nullptr && inputs->is_array()) {
    Json kept = Json::array();
    for (Json input : inputs->items()) {
      if (input.is_object()) input.erase("provenance");
      kept.push(std::move(input));
    }
    provenance.set("inputs", std::move(kept));
  }
  return provenance;
}

}  // namespace

App::App(const ToolSpec& spec, Fields& fields, CommonOptions& common, Messages& messages,
         std::vector<std::string> command)
    : spec_(spec),
      fields_(fields),
      common_(common),
      messages_(messages),
      command_(std::move(command)),
      started_(utc_stamp()),
      wall_start_(wall_seconds()),
      cpu_start_(cpu_seconds()) {}

App::~App() = default;

Rng App::rng() const { return Rng(common_.seed); }

Workers& App::workers() {
  if (workers_ == nullptr) workers_ = std::make_unique<Workers>(common_.threads);
  return *workers_;
}

Overwrite App::overwrite() const { return common_.force ? Overwrite::replace : Overwrite::refuse; }
bool App::dry_run() const { return common_.dry_run; }
bool App::is_verbose() const { return common_.verbose > 0; }
std::uint64_t App::memory() const { return common_.planned_memory(); }

std::string App::format_of(const std::string& output) const {
  const Field* field = fields_.find_option("--" + output);
  LOGPX_ASSERT(field != nullptr);
  return format_for(field->text(), format_choice(fields_, *field));
}

void App::add_input(FileRecord record) {
  if (is_plain_file(record.path)) {
    if (!record.bytes) record.bytes = fs::file_size(record.path);
    if (record.content_hash.empty()) record.content_hash = hash_of_file(record.path);
  }
  inputs_.push_back(std::move(record));
}

void App::add_output(FileRecord record) {
  if (is_plain_file(record.path) && record.content_hash.empty())
    record.content_hash = hash_of_file(record.path);
  outputs_.push_back(std::move(record));
}

void App::say(const std::string& text) { messages_.say(text); }
void App::detail(const std::string& text) { messages_.detail(text); }
int App::say_error(const Error& error) { return say_failure(messages_, error); }
void App::next(const std::string& command) { next_ = command; }

std::string App::again(const std::string& path, const std::string& else_) {
  const std::string file = path.substr(0, path.find(':'));
  return is_stream(path) || is_stream(file) ? else_ : shell_word(path);
}

void App::warn(const std::string& text) {
  if (std::ranges::count(warnings_, text) > 0) return;
  warnings_.push_back(text);
  messages_.warn(text);
}

void App::failed(const Error& error) {
  warnings_.push_back(std::string("error: ") + error.what());
  const int code = say_failure(messages_, error);
  if (exit_code_ == 0) exit_code_ = code;
}

std::unique_ptr<Progress> App::progress(const std::string& unit, double total) {
  return std::make_unique<Progress>(messages_, unit, total);
}

void App::print(const std::string& text) { printed_ = printed_.value_or("") + text; }

Json App::provenance() const {
  const bool whole = !reproducible_build();
  Json json = Json::object();
  json.set("schema", report_schema).set("tool", spec_.name);
  json.set("version", version()).set("commit", commit());
  if (whole) {
    json.set("command", Json::array_of(command_));
    json.set("started", started_);
    json.set("seconds", wall_seconds() - wall_start_);
    json.set("cpu_seconds", cpu_seconds() - cpu_start_);
  }
  json.set("seed", common_.seed);
  if (whole) {
    json.set("threads", common_.threads > 0 ? common_.threads : available_threads());
    json.set("host", host(spec_));
  }
  Json inputs = Json::array(), outputs = Json::array();
  for (const FileRecord& input : inputs_) {
    Json record = record_json(input);
    if (!input.provenance.is_null()) record.set("provenance", without_ancestors(input.provenance));
    inputs.push(std::move(record));
  }
  for (const FileRecord& output : outputs_) outputs.push(record_json(output));
  json.set("inputs", std::move(inputs)).set("outputs", std::move(outputs));
  json.set("config", settings_json(fields_));
  return json;
}

Json App::report() const {
  Json json = provenance();
  Json inputs = Json::array();
  for (const FileRecord& input : inputs_) inputs.push(record_json(input));
  json.set("inputs", std::move(inputs));
  json.set("result", result_);
  if (series_.size() > 0) json.set("series", series_);
  json.set("warnings", Json::array_of(warnings_));
  return json;
}

}  // namespace logpx
