// One archive of one or more files: coded into a temporary, and given its name when it is complete.
#pragma once

#include "formats/file/payload.hpp"
#include "tools/archives/archive_maker.hpp"
#include "tools/compress/encode_inputs.hpp"
#include "tools/compress/targets.hpp"

#include <memory>
#include <string>
#include <vector>

namespace logpx::compress {

class EncodeJob {
 public:
  struct Setting {
    App& app;
    const EncodeOptions& options;
    EncodeInputs& inputs;
    const Coding& coding;
    Targets& targets;
  };
  EncodeJob(const Setting& setting, std::vector<InputFile> files, std::string target)
      : setting_(setting), files_(std::move(files)), target_(std::move(target)) {}

  [[nodiscard]] Figures run();

 private:
  struct Archive;
  [[nodiscard]] std::unique_ptr<MemberInput> open(const InputFile& file,
                                                  const Coding& coding) const {
    return setting_.inputs.open(file, coding, setting_.coding);
  }
  [[nodiscard]] bool lacks_folder() const;
  void claim_target() const;
  [[nodiscard]] MakerSettings maker_settings(const Coding& coding) const;
  [[nodiscard]] bool insists_on_model(const MemberInput& input, const Coding& coding) const;
  [[nodiscard]] std::uint64_t bytes_of(MemberInput& input, const Coding& coding) const;
  [[nodiscard]] Archive write(std::unique_ptr<MemberInput> first, const Coding& coding) const;
  [[nodiscard]] Archive shortest(std::unique_ptr<MemberInput> first) const;

  Setting setting_;
  std::vector<InputFile> files_;
  std::string target_;
};

}  // namespace logpx::compress
