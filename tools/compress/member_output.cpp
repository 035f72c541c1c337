#include "tools/compress/member_output.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/common/app.hpp"
#include "tools/compress/names.hpp"

namespace logpx::compress {
namespace {

std::optional<FileAttributes> wanted_attributes(const archive::Member& member,
                                                const DecodeOptions& options) {
  // Without a mode the archive knows no time either: it was made from a stream.
  if (!options.times || !member.mode) return std::nullopt;
  return attributes_of(member);
}

std::string members_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " member" : " members");
}

}  // namespace

void NoOutput::tell(const std::string& archive, const Figures& figures) {
  app_.say(archive + ": good, " + members_text(figures.members) + ", " +
           human_bytes(figures.original_bytes) + " (" + human_seconds(figures.seconds) + ")");
}

void JoinedOutput::check_inputs(const std::vector<std::string>& files) {
  for (const std::string& file : files) check_not_replaced(file, target_);
  if (payload_ == nullptr) OutputFile::check_target(target_, app_.overwrite());
  if (options_.output.empty() && target_ != "-") check_no_link(target_, app_.overwrite());
}

void JoinedOutput::open() {
  if (payload_ == nullptr) payload_ = std::make_unique<Payload>(target_, app_.overwrite());
}

void JoinedOutput::begin(const archive::Member& member, std::uint64_t) {
  open();
  ++members_;
  attributes_ = members_ == 1 ? wanted_attributes(member, options_) : std::nullopt;
}

void JoinedOutput::write(archive::ByteView bytes) {
  hash_.update(bytes);
  payload_->write(bytes);
}

void JoinedOutput::finish() {
  open();
  payload_->commit(options_.output.empty() ? attributes_ : std::nullopt);
  app_.add_output({.role = "file",
                   .path = target_,
                   .kind = "file",
                   .bytes = payload_->bytes(),
                   .content_hash = hash_.hex(),
                   .provenance = {}});
}

void JoinedOutput::tell(const std::string& archive, const Figures& figures) {
  app_.say(archive + ": " + human_bytes(figures.archive_bytes) + " -> " +
           human_bytes(figures.original_bytes) + ' ' +
           (target_ == "-" ? "stdout" : shown(target_)) + " (" + human_seconds(figures.seconds) +
           ")");
  if (figures.members > 1)
    app_.say(archive + ": its " + members_text(figures.members) +
             " are joined; --restore-name gives each its own file");
}

void NamedOutputs::begin(const archive::Member& member, std::uint64_t number) {
  const std::string safe = safe_name(member.name, number);
  name_ = options_.output_dir.empty() ? beside(archive_ == "-" ? "" : archive_, safe)
                                      : in_folder(safe, options_.output_dir);
  for (const std::string& file : inputs_) check_not_replaced(file, name_);
  if (!written_.insert(name_).second)
    fail(ErrorKind::refused, shown(name_), "is the name of two members",
         "-o FILE joins them, --output-dir and --list tell them apart");
  targets_.claim(name_);
  check_no_link(name_, app_.overwrite());
  payload_ = std::make_unique<Payload>(name_, app_.overwrite());
  hash_ = std::make_unique<Sha256>();
}

void NamedOutputs::write(archive::ByteView bytes) {
  hash_->update(bytes);
  payload_->write(bytes);
}

void NamedOutputs::end(const archive::Member& member) {
  payload_->commit(wanted_attributes(member, options_));
  app_.add_output({.role = "file",
                   .path = name_,
                   .kind = "file",
                   .bytes = payload_->bytes(),
                   .content_hash = hash_->hex(),
                   .provenance = {}});
  app_.detail(shown(name_) + ": " + human_bytes(payload_->bytes()));
  payload_.reset();
}

void NamedOutputs::tell(const std::string& archive, const Figures& figures) {
  app_.say(archive + ": " + human_bytes(figures.archive_bytes) + " -> " +
           members_text(figures.members) + ", " + human_bytes(figures.original_bytes) + " (" +
           human_seconds(figures.seconds) + ")");
}

}  // namespace logpx::compress
