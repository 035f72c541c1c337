#include "tools/compress/member_output.hpp"

#include "formats/file/suffix.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/archives/names.hpp"
#include "tools/frame/app.hpp"

#include <filesystem>

namespace logpx::compress {
namespace {

std::optional<FileAttributes> wanted_attributes(const archive::Member& member,
                                                const DecodeOptions& options) {
  // Without a mode there is no time either: the member was made from a stream.
  if (!options.times || !member.mode) return std::nullopt;
  return attributes_of(member);
}

// The formats of a member if no other is asked for; none: the bytes may be anything.
std::vector<std::string> formats_of(archive::MemberKind kind) {
  using archive::MemberKind;
  switch (kind) {
    case MemberKind::pnm: return {"pnm"};
    case MemberKind::idx: return {"idx"};
    case MemberKind::npy: return {"npy"};
    case MemberKind::pixels:
    case MemberKind::own_png: return {"png"};
    case MemberKind::bytes:
    case MemberKind::text: break;
  }
  return {};
}

}  // namespace

void NoOutput::tell(const std::string& archive, const Figures& figures) {
  app_.say(archive + ": good, " + counted(figures.members, "member") + ", " +
           human_bytes(figures.original_bytes) + " (" + human_seconds(figures.seconds) + ")");
}

JoinedOutput::JoinedOutput(App& app, const DecodeOptions& options, Targets& targets,
                           std::string target)
    : app_(app), options_(options), target_(std::move(target)) {
  targets.claim(target_);
  OutputFile::check_target(target_, app.overwrite());
  if (options.output.empty() && target_ != "-") check_no_link(target_, app.overwrite());
}

void JoinedOutput::open() {
  if (payload_ == nullptr) payload_ = std::make_unique<Payload>(target_, app_.overwrite());
}

void JoinedOutput::begin(const archive::Member& member, std::uint64_t) {
  if (options_.to == archive::OutputForm::same && !options_.output.empty())
    (void)format_for(target_, {.formats = formats_of(member.kind)});
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
    app_.say(archive + ": its " + counted(figures.members, "member") +
             " are joined; --output-dir DIR gives each its own file");
}

std::string NamedOutputs::own_name(const std::string& stored, std::uint64_t number) const {
  if (stored.empty() && number == 1 && !place_.stand_in.empty()) return place_.stand_in;
  if (place_.names == Names::last_part) return safe_name(stored, number);
  const std::string name = safe_path(stored, number);
  if (!stored.empty() && name != stored)
    app_.warn(shown(stored) + ": is not a safe name, so the member becomes " + name);
  return name;
}

std::string NamedOutputs::name_of(const std::string& stored, std::uint64_t number) const {
  return (std::filesystem::path(place_.inner) / own_name(stored, number)).string();
}

void NamedOutputs::claim(const std::string& name) {
  path_ = (std::filesystem::path(place_.folder) / name).string();
  if (!written_.insert(path_).second)
    fail(ErrorKind::refused, shown(path_), "is the name of two members",
         "--member N takes one of them, -o FILE joins them");
  targets_.claim(path_);
}

void NamedOutputs::check(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    claim(name_of(names[i], i + 1));
    if (app_.overwrite() == Overwrite::refuse &&
        std::filesystem::exists(std::filesystem::symlink_status(path_)))
      fail(ErrorKind::refused, shown(path_), "exists", "--force replaces it");
  }
}

void NamedOutputs::begin(const archive::Member& member, std::uint64_t number) {
  const std::string name = name_of(member.name, number);
  claim(name);
  file_ = std::make_unique<TreeFile>(place_.folder, name, app_.overwrite());
  hash_ = std::make_unique<Sha256>();
}

void NamedOutputs::write(archive::ByteView bytes) {
  hash_->update(bytes);
  file_->write(bytes);
}

void NamedOutputs::end(const archive::Member& member) {
  file_->commit(wanted_attributes(member, options_));
  app_.add_output({.role = "file",
                   .path = path_,
                   .kind = "file",
                   .bytes = file_->bytes(),
                   .content_hash = hash_->hex(),
                   .provenance = {}});
  app_.detail(shown(path_) + ": " + human_bytes(file_->bytes()));
  file_.reset();
}

void NamedOutputs::tell(const std::string& archive, const Figures& figures) {
  app_.say(archive + ": " + human_bytes(figures.archive_bytes) + " -> " +
           counted(figures.members, "member") + ", " + human_bytes(figures.original_bytes) + " (" +
           human_seconds(figures.seconds) + ")");
}

}  // namespace logpx::compress
