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
  // Begins a new file, or goes on after the first `bytes` bytes of one; what follows them was
  // written after the checkpoint and is cut off.
  // `facts` stand in every line.
  explicit HistoryFile(std::string path, std::int64_t bytes = 0, Json facts = Json::object());
  ~HistoryFile();
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  void append(const HistoryLine& line);
  // Bytes so far, safe on disk.
  [[nodiscard]] std::int64_t sync();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::int64_t bytes_ = 0;
  Json facts_;
};

// What every line says of its numbers: the measure of log p, and how grey values are binarised.
[[nodiscard]] Json facts_of_history(Model& model);

// Training time at the last line of the first `bytes` bytes; 0 where either is missing.
[[nodiscard]] double last_seconds(const std::string& path, std::int64_t bytes);

}  // namespace logpx
