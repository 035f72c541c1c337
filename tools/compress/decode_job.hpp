// One archive: its contents, and its members decoded into an output.
#pragma once

#include "tools/archives/coding_model.hpp"
#include "tools/archives/source_file.hpp"
#include "tools/compress/member_output.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {
class Progress;
}

namespace logpx::compress {

[[nodiscard]] std::unique_ptr<SourceFile> open_archive(const App& app, const DecodeOptions& options,
                                                       const std::string& file);

class DecodeJob {
 public:
  struct Setting {
    App& app;
    const DecodeOptions& options;
    ModelFinder& models;
  };
  DecodeJob(const Setting& setting, std::string file);
  ~DecodeJob();

  void open();  // before any output is made
  // Names of all members in order, from the container alone, which is read again afterwards;
  // nothing for a stream, which can be read once only.
  [[nodiscard]] std::optional<std::vector<std::string>> names();
  [[nodiscard]] Figures run(MemberOutput& output);
  // Once the output is complete: reports what was done, and removes the archive at the end if
  // asked.
  void conclude(MemberOutput& output, const Figures& figures);
  [[nodiscard]] const std::string& model_identity() const { return identity_; }

 private:
  [[nodiscard]] OpenerSettings opener_settings();

  Setting setting_;
  std::string file_, identity_, hash_;
  std::unique_ptr<SourceFile> source_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace logpx::compress
