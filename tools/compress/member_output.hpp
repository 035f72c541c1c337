// Where decoded members go: nowhere (--test), one after another into one output, or each to a file
// with its own name.
#pragma once

#include "formats/file/payload.hpp"
#include "formats/file/tree_file.hpp"
#include "libcore/base/hash.hpp"
#include "tools/archives/figures.hpp"
#include "tools/archives/opened_archive.hpp"
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
  // Whether members of these names could be written, for --dry-run.
  virtual void check(const std::vector<std::string>& /*names*/) {}
  [[nodiscard]] virtual bool joins() const { return false; }  // several members to one file
  virtual void finish() {}                                    // gives everything its final name
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
  JoinedOutput(App& app, const DecodeOptions& options, Targets& targets, std::string target);
  void begin(const archive::Member& member, std::uint64_t number) override;
  void write(archive::ByteView bytes) override;
  void end(const archive::Member&) override {}
  [[nodiscard]] bool joins() const override { return true; }
  void finish() override;
  void tell(const std::string& archive, const Figures& figures) override;

 private:
  void open();

  App& app_;
  const DecodeOptions& options_;
  std::string target_;
  std::unique_ptr<Payload> payload_;  // opened once the first header is known to be good
  std::optional<FileAttributes> attributes_;
  std::uint64_t members_ = 0;
  Sha256 hash_;
};

class NamedOutputs final : public MemberOutput {
 public:
  enum class Names { last_part, relative };
  // The place of an archive's members: below `inner`, which is made, in `folder`. The first member
  // is called `stand_in` if it has no name.
  struct Place {
    std::string folder;
    std::string inner = {};
    Names names = Names::relative;
    std::string stand_in = {};
  };
  NamedOutputs(App& app, const DecodeOptions& options, Targets& targets, Place place)
      : app_(app), options_(options), targets_(targets), place_(std::move(place)) {}
  void check(const std::vector<std::string>& names) override;
  void begin(const archive::Member& member, std::uint64_t number) override;
  void write(archive::ByteView bytes) override;
  void end(const archive::Member& member) override;
  void tell(const std::string& archive, const Figures& figures) override;

 private:
  [[nodiscard]] std::string own_name(const std::string& stored, std::uint64_t number) const;
  [[nodiscard]] std::string name_of(const std::string& stored, std::uint64_t number) const;
  void claim(const std::string& name);  // sets path_

  App& app_;
  const DecodeOptions& options_;
  Targets& targets_;
  Place place_;
  std::string path_;
  std::set<std::string> written_;
  std::unique_ptr<TreeFile> file_;
  std::unique_ptr<Sha256> hash_;
};

}  // namespace logpx::compress
