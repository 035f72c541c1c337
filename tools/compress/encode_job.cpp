#include "tools/compress/encode_job.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/hash.hpp"
#include "tools/archives/names.hpp"
#include "tools/compress/summary.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"

#include <filesystem>

namespace logpx::compress {

constexpr std::uint64_t most_of_a_short_archive = 4096;  // bytes

// An archive that is written but not yet named.
struct EncodeJob::Archive {
  std::unique_ptr<Payload> out;
  std::unique_ptr<MemberInput> input;  // the last
  std::vector<FileRecord> records;     // of all
  Figures figures;
  std::string hash;
};

MakerSettings EncodeJob::maker_settings(const Coding& coding) const {
  App& app = setting_.app;
  MakerSettings settings;
  settings.methods = setting_.options.store        ? Methods::store
                     : coding.scheme == nullptr    ? Methods::fallback
                     : setting_.options.model_only ? Methods::model_only
                                                   : Methods::model;
  settings.unfold = setting_.options.keep_deflate ? Unfold::off : Unfold::on;
  const bool reports = is_given(app.fields(), "--report") || is_given(app.fields(), "--json");
  settings.score = reports ? Score::on : Score::off;
  settings.rng = app.rng();
  settings.memory = coding_memory(app);
  settings.verify = setting_.options.verify ? Verify::on : Verify::off;
  settings.batch = blocks_at_once(app, coding.parameters.units);
  return settings;
}

// Whether the model must code it, even if other codes are shorter.
bool EncodeJob::insists_on_model(const MemberInput& input, const Coding& coding) const {
  return setting_.options.model_only &&
         archive::plan_member(input.member(), coding.parameters.units).for_model;
}

// How many bytes a member would take, without writing it anywhere.
std::uint64_t EncodeJob::bytes_of(MemberInput& input, const Coding& coding) const {
  MakerSettings trial = maker_settings(coding);
  trial.verify = Verify::off;
  trial.score = Score::off;
  ArchiveMaker maker(coding, trial, setting_.app.workers(), [](archive::ByteView) {});
  (void)maker.add(input);
  maker.finish();
  return maker.bytes();
}

EncodeJob::Archive EncodeJob::write(std::unique_ptr<MemberInput> first,
                                    const Coding& coding) const {
  App& app = setting_.app;
  Archive archive{.out = std::make_unique<Payload>(target_, app.overwrite()),
                  .input = std::move(first),
                  .records = {},
                  .figures = {},
                  .hash = {}};
  Sha256 hash;
  double trials = 0;  // seconds of coding that is not written
  MakerSettings settings = maker_settings(coding);
  std::unique_ptr<Progress> progress;
  settings.progress = [&](std::uint64_t done) {
    progress->update(static_cast<double>(done / 1'000'000));
  };
  ArchiveMaker maker(coding, settings, app.workers(), [&](archive::ByteView bytes) {
    hash.update(bytes);
    archive.out->write(bytes);
  });
  for (std::size_t i = 0; i < files_.size(); ++i) {
    std::unique_ptr<MemberInput>& input = archive.input;
    if (i > 0) input = open(files_[i], coding);
    const auto total = static_cast<double>(input->member().size.value_or(0) / 1'000'000);
    progress = app.progress("MB", total);
    const double before = wall_seconds();
    if (auto plain = input->as_bytes(); plain && !insists_on_model(*input, coding) &&
                                        bytes_of(*plain, coding) < bytes_of(*input, coding))
      input = std::move(plain);
    trials += wall_seconds() - before;
    const archive::MemberEnd end = maker.add(*input);
    const bool whole = input->member().kind != archive::MemberKind::pixels;
    archive.records.push_back({.role = "file",
                               .path = files_[i].path,
                               .kind = archive::word_of(input->member().kind),
                               .bytes = whole ? std::optional(end.size) : std::nullopt,
                               .content_hash = whole ? end.sha256 : "",
                               .provenance = {}});
    progress->erase();
  }
  maker.finish();
  archive.figures = maker.figures();
  archive.figures.coding_seconds += trials;
  archive.hash = hash.hex();
  return archive;
}

// An archive in which the model codes nothing should not need it, unless it would be longer
// without. Nor should a short one, in which naming the model takes more than the model saves,
// unless the user insists on the model.
EncodeJob::Archive EncodeJob::shortest(std::unique_ptr<MemberInput> first) const {
  Archive archive = write(std::move(first), setting_.coding);
  const bool unused = archive.figures.blocks_of_model() == 0;
  const bool short_one =
      !setting_.options.model_only && archive.figures.archive_bytes <= most_of_a_short_archive;
  const bool in_doubt = setting_.coding.scheme != nullptr && (unused || short_one);
  if (!in_doubt || !archive.out->is_file() || files_.size() > 1 || !is_plain(files_.front().path))
    return archive;
  const double start = wall_seconds();
  Coding none;
  none.parameters.units.effort = setting_.coding.parameters.units.effort;
  none.parameters.prime = setting_.coding.parameters.prime;
  none.prime = setting_.coding.prime;
  none.embedded_prime = setting_.coding.embedded_prime;
  if (bytes_of(*open(files_.front(), none), none) > archive.figures.archive_bytes) {
    if (unused)
      setting_.app.say(shown(target_) +
                       ": the model coded no block, but without it the archive is longer");
    return archive;
  }
  const double tried = archive.figures.coding_seconds + wall_seconds() - start;
  archive = {};  // removes its temporary before the next is made
  archive = write(open(files_.front(), none), none);
  archive.figures.coding_seconds += tried;
  setting_.app.say(shown(target_) +
                   (unused ? ": the model coded no block; the archive does not need it"
                           : ": the archive is shorter without the model"));
  return archive;
}

// Folders below --output-dir follow those of the input.
bool EncodeJob::lacks_folder() const {
  namespace fs = std::filesystem;
  const std::string& root = setting_.options.output_dir;
  return !root.empty() && fs::is_directory(root) && !fs::exists(fs::path(target_).parent_path());
}

void EncodeJob::claim_target() const {
  setting_.targets.claim(target_);
  if (setting_.options.output.empty() && target_ != "-")
    check_no_link(target_, setting_.app.overwrite());
}

Figures EncodeJob::run() {
  App& app = setting_.app;
  const double start = wall_seconds();
  std::unique_ptr<MemberInput> first = open(files_.front(), setting_.coding);
  claim_target();
  if (app.dry_run()) {
    if (!lacks_folder()) OutputFile::check_target(target_, app.overwrite());
    app.say("would write " + shown(target_));
    return {};
  }
  if (lacks_folder())
    std::filesystem::create_directories(std::filesystem::path(target_).parent_path());
  Archive archive = shortest(std::move(first));
  for (FileRecord& record : archive.records) app.add_input(std::move(record));
  const archive::Member& member = archive.input->member();
  std::optional<FileAttributes> attributes;
  if (setting_.options.output.empty() && member.mode) attributes = attributes_of(member);
  archive.out->commit(attributes);
  if (setting_.options.remove)
    app.at_end([&app, kept = archive.input->removal()] {
      kept([&app](const std::string& text) { app.warn(text); });
    });
  archive.figures.seconds = wall_seconds() - start;
  tell(app,
       {.role = "archive",
        .path = target_,
        .hash = archive.hash,
        .seconds = archive.figures.seconds},
       archive.figures);
  return archive.figures;
}

}  // namespace logpx::compress
