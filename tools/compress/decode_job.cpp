#include "tools/compress/decode_job.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "tools/archives/listing.hpp"
#include "tools/archives/member_choice.hpp"
#include "tools/archives/names.hpp"
#include "tools/compress/summary.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"

#include <cmath>

namespace logpx::compress {

std::unique_ptr<SourceFile> open_archive(const App& app, const DecodeOptions& options,
                                         const std::string& file) {
  const bool follow =
      app.overwrite() == Overwrite::replace || options.output == "-" || !options.writes();
  return std::make_unique<SourceFile>(
      file, follow ? SourceFile::Links::follow : SourceFile::Links::refuse);
}

DecodeJob::DecodeJob(const Setting& setting, std::string file)
    : setting_(setting), file_(std::move(file)) {}
DecodeJob::~DecodeJob() = default;

OpenerSettings DecodeJob::opener_settings() {
  App& app = setting_.app;
  OpenerSettings settings;
  settings.coding = [this](const archive::ArchiveHeader& header, const Enclosed& enclosed) {
    identity_ = header.model_identity;
    return setting_.models.coding_for(header, enclosed);
  };
  settings.form = setting_.options.to;
  settings.batch = [&app](const archive::CodingUnits& units) { return blocks_at_once(app, units); };
  if (setting_.options.max_output.value > 0)
    settings.max_output = setting_.options.max_output.value;
  else if (setting_.options.test) settings.max_output = std::uint64_t{4} << 30;
  progress_ =
      app.progress("MB", std::floor(static_cast<double>(source_->size().value_or(0)) / 1e6));
  settings.progress = [this](std::uint64_t done) {
    progress_->update(static_cast<double>(done / 1'000'000));
  };
  settings.memory = coding_memory(app);
  return settings;
}

void DecodeJob::open() { source_ = open_archive(setting_.app, setting_.options, file_); }

std::optional<std::vector<std::string>> DecodeJob::names() {
  if (!source_->is_regular()) return std::nullopt;
  source_->rewind();
  std::vector<std::string> names;
  const Listing listing =
      list_archive([this](std::span<std::byte> out) { return source_->read(out); });
  for (const Listing::Part& part : listing.parts)
    for (const Listing::Entry& entry : part.members) names.push_back(entry.member.name);
  return names;
}

Figures DecodeJob::run(MemberOutput& output) {
  if (source_->is_regular()) source_->rewind();  // names() may have read it, or a part of it
  App& app = setting_.app;
  const double start = wall_seconds();
  Sha256 hash;
  const auto supply = [&](std::span<std::byte> out) {
    const std::size_t count = source_->read(out);
    hash.update(out.first(count));
    return count;
  };
  MemberChoice choice(setting_.options.members);
  OpenerSettings settings = opener_settings();
  if (!choice.is_everything())
    settings.wanted = [&choice](const archive::Member& member, std::uint64_t number) {
      return choice.takes(member.name, number);
    };
  ArchiveOpener opener(std::move(settings), app.workers(), supply, output);
  opener.run();
  choice.require_all_met();
  progress_->erase();
  hash_ = hash.hex();
  Figures figures = opener.figures();
  figures.seconds = wall_seconds() - start;
  return figures;
}

void DecodeJob::conclude(MemberOutput& output, const Figures& figures) {
  App& app = setting_.app;
  app.add_input({.role = "archive",
                 .path = file_,
                 .kind = "lpx",
                 .bytes = figures.archive_bytes,
                 .content_hash = hash_,
                 .provenance = {}});
  output.tell(shown(source_->name()), figures);
  if (!setting_.options.remove) return;
  // Members that are joined lose their names and their boundaries.
  if (figures.members > 1 && output.joins())
    return app.warn(shown(source_->name()) + ": its " + std::to_string(figures.members) +
                    " members are joined, so it stays; --rm --output-dir DIR removes it");
  app.at_end([&app, kept = source_->removal()] {
    kept([&app](const std::string& text) { app.warn(text); });
  });
}

}  // namespace logpx::compress
