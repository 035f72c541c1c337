// One archive, decoded into an output.
#pragma once

#include "tools/compress/coding_model.hpp"
#include "tools/compress/member_output.hpp"
#include "tools/compress/operands.hpp"
#include "tools/compress/source_file.hpp"

#include <memory>
#include <string>

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
    const Operands& operands;
    ModelFinder& models;
  };
  DecodeJob(const Setting& setting, std::string file);
  ~DecodeJob();

  void open();  // before any output is made
  [[nodiscard]] Figures run(MemberOutput& output);
  // When the output stands: tells what was done, and removes the archive at the end if asked to.
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
