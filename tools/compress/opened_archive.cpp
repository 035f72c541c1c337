#include "tools/compress/opened_archive.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

namespace logpx::compress {

using archive::ArchiveHeader, archive::EmbeddedModel, archive::Block, archive::Member,
    archive::MemberEnd;

void ArchiveOpener::run() {
  const double start = wall_seconds();
  while (auto item = reader_.next()) {
    std::visit([this](auto&& part) { take(std::move(part)); }, std::move(*item));
    if (settings_.progress) settings_.progress(reader_.offset());
  }
  figures_.archive_bytes = reader_.offset();
  figures_.seconds = wall_seconds() - start;
}

void ArchiveOpener::take(ArchiveHeader&& header) {
  if (header.minor > archive::format_minor && settings_.warn)
    settings_.warn("format version 1." + std::to_string(header.minor) +
                   " is newer than this program; what it does not know is left out");
  header_ = std::move(header);
  blocks_ = 0;
  if (header_.model != archive::ModelUse::embedded) start_coding(nullptr);
}

void ArchiveOpener::take(EmbeddedModel&& model) { start_coding(&model); }

void ArchiveOpener::start_coding(const EmbeddedModel* model) {
  coding_ = settings_.coding(header_, model);
  coder_.emplace(BlockSettings{.scheme = coding_->scheme.get()}, coding_->parameters.units);
  batch_size_ = settings_.batch ? settings_.batch(coding_->parameters.units) : 1;
}

void ArchiveOpener::take(Member&& member) {
  member_ = std::move(member);
  sink_.begin(member_, ++members_);
  joiner_.emplace(
      member_, coding_->parameters.units,
      [this](archive::ByteView bytes) {
        written_ += bytes.size();
        if (written_ > settings_.max_output)
          fail(ErrorKind::data, reader_.place(),
               "more than " + human_bytes(settings_.max_output) + " comes out",
               "--max-output allows more");
        sink_.write(bytes);
      },
      settings_.form);
}

void ArchiveOpener::take(Block&& block) {
  batch_.push_back(std::move(block));
  if (std::ssize(batch_) == batch_size_) decode_batch();
}

void ArchiveOpener::decode_batch() {
  std::vector<archive::RawBlock> raw(batch_.size());
  const double start = wall_seconds();
  workers_.run(std::ssize(batch_), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const std::uint64_t number = blocks_ + at;
    try {
      raw[at] = coder_->decode(batch_[at], joiner_->plan(), number);
    } catch (const Error& error) {
      throw error.within("block " + std::to_string(number + 1));
    }
  });
  figures_.coding_seconds += wall_seconds() - start;
  blocks_ += batch_.size();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    figures_.add(batch_[i]);
    joiner_->add(std::move(raw[i]));
  }
  batch_.clear();
}

void ArchiveOpener::take(MemberEnd&& end) {
  decode_batch();
  const std::string what = "member " + std::to_string(members_);
  const MemberEnd found = joiner_->finish();
  if (found.size != end.size)
    fail(ErrorKind::data, what,
         "has " + std::to_string(found.size) + " bytes, expected " + std::to_string(end.size));
  if (found.sha256 != end.sha256) fail(ErrorKind::data, what, "its SHA-256 differs");
  joiner_.reset();
  figures_.add_member(end.size, member_);
  sink_.end(member_);
}

}  // namespace logpx::compress
