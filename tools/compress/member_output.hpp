// Where decoded members go: nowhere (--test), one after another into one output, or each under the
// name that it had.
#pragma once

#include "formats/file/payload.hpp"
#include "libcore/base/hash.hpp"
#include "tools/compress/figures.hpp"
#include "tools/compress/opened_archive.hpp"
#include "tools/compress/options.hpp"
#include "tools/compress/targets.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace logpx {
class App;
}

namespace logpx::compress {

class MemberOutput : public MemberSink {
 public:
  // None of these may be replaced.
  virtual void check_inputs(const std::vector<std::string>& /*files*/) {}
  virtual void finish() {}  // gives everything its final name
  virtual void tell(const std::string& archive, const Figures& figures) = 0;
};

class NoOutput final : public MemberOutput {
 public:
  explicit NoOutput(App& app) : app_(app) {}
  void begin(const archive::Member&, std::uint64_t) override {}
  void write(archive::ByteView) override {}
  void end(const archive::Member&) override {}
  void tell(const std::string& archive, const Figures& figures) override;

 private:
  App& app_;
};

class JoinedOutput final : public MemberOutput {
 public:
  JoinedOutput(App& app, const DecodeOptions& options, std::string target)
      : app_(app), options_(options), target_(std::move(target)) {}
  void check_inputs(const std::vector<std::string>& files) override;
  void begin(const archive::Member& member, std::uint64_t number) override;
  void write(archive::ByteView bytes) override;
  void end(const archive::Member&) override {}
  void finish() override;
  void tell(const std::string& archive, const Figures& figures) override;

 private:
  void open();

  App& app_;
  const DecodeOptions& options_;
  std::string target_;
  std::unique_ptr<Payload> payload_;  // opened when the first header is known to be good
  std::optional<FileAttributes> attributes_;
  std::uint64_t members_ = 0;
  Sha256 hash_;
};

class NamedOutputs final : public MemberOutput {
 public:
  NamedOutputs(App& app, const DecodeOptions& options, Targets& targets, std::string archive)
      : app_(app), options_(options), targets_(targets), archive_(std::move(archive)) {}
  void check_inputs(const std::vector<std::string>& files) override { inputs_ = files; }
  void begin(const archive::Member& member, std::uint64_t number) override;
  void write(archive::ByteView bytes) override;
  void end(const archive::Member& member) override;
  void tell(const std::string& archive, const Figures& figures) override;

 private:
  App& app_;
  const DecodeOptions& options_;
  Targets& targets_;
  std::string archive_, name_;
  std::vector<std::string> inputs_;
  std::set<std::string> written_;
  std::unique_ptr<Payload> payload_;
  std::unique_ptr<Sha256> hash_;
};

}  // namespace logpx::compress
