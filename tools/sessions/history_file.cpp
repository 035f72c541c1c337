#include "tools/sessions/history_file.hpp"

#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/measure.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/model/measured_as.hpp"
#include "tools/store/model_store.hpp"

#include <cerrno>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace logpx {

HistoryFile::HistoryFile(std::string path, std::int64_t bytes, Json facts)
    : path_(std::move(path)), bytes_(bytes), facts_(std::move(facts)) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_errno(path_, errno);
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail_errno(path_, errno);
  if (!S_ISREG(status.st_mode)) return;  // a pipe takes lines, and cannot be cut
  if (status.st_size < bytes)
    fail(ErrorKind::data, path_,
         "is shorter than it was at the checkpoint: " + std::to_string(status.st_size) + " of " +
             std::to_string(bytes) + " bytes",
         "--force without --resume starts afresh");
  if (ftruncate(descriptor_, bytes) != 0) fail_errno(path_, errno);
}

HistoryFile::~HistoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void HistoryFile::append(const HistoryLine& line) {
  Json json = Json::object();
  json.set("step", line.step).set("epoch", line.epoch).set("samples_seen", line.samples);
  if (!reproducible_build()) json.set("seconds", line.seconds);
  for (const auto& [name, value] : line.values)
    json.set(name, std::isfinite(value) ? Json(value) : Json());
  for (const auto& [name, value] : facts_.members()) json.set(name, value);
  const std::string text = json.dump(-1) + '\n';
  write_all(descriptor_, std::as_bytes(std::span(text)), path_);
  bytes_ += std::ssize(text);
}

Json facts_of_history(Model& model) {
  Json facts = Json::object();
  add_measure(facts, measured_as(model.info()));
  const Json config = config_of(model);
  if (const Json* rule = config.find("binarise"); rule != nullptr && !(*rule == Json("none")))
    facts.set("binarise", *rule);
  return facts;
}

double last_seconds(const std::string& path, std::int64_t bytes) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 30;
  if (bytes < 2 || !std::filesystem::is_regular_file(path)) return 0;
  std::string text = read_text_file(path, largest);
  text.resize(std::min(text.size(), static_cast<std::size_t>(bytes)));
  if (text.size() < 2) return 0;
  const std::size_t begin = text.rfind('\n', text.size() - 2) + 1;  // npos + 1 is 0
  const Json line = Json::parse(text.substr(begin), path);
  const Json* const seconds = line.find("seconds");
  return seconds != nullptr && seconds->is_number() ? seconds->number() : 0;
}

std::int64_t HistoryFile::sync() {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL) fail_errno(path_, errno);
  return bytes_;
}

}  // namespace logpx
