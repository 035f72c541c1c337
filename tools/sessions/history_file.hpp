// The training history: one JSON object per line, each written whole and at once.
#pragma once

#include "formats/json/value.hpp"
#include "libcore/train/checkpoint.hpp"

#include <cstdint>
#include <string>

namespace logpx {

class Model;

class HistoryFile {
 public:
  // Begins a new file, or continues one after its first `bytes` bytes; the rest was written after
  // the checkpoint and is cut off. Every line holds `facts`.
  explicit HistoryFile(std::string path, std::int64_t bytes = 0, Json facts = Json::object());
  ~HistoryFile();
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  void append(const HistoryLine& line);
  // Flushes to disk and returns the size.
  [[nodiscard]] std::int64_t sync();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::int64_t bytes_ = 0;
  Json facts_;
};

// Facts for every line: the measure of log p, and how grey values are binarised.
[[nodiscard]] Json facts_of_history(Model& model);

// Training time in the last line of the first `bytes` bytes; 0 if file or time is missing.
[[nodiscard]] double last_seconds(const std::string& path, std::int64_t bytes);

}  // namespace logpx
