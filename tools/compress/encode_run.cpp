#include "formats/file/input.hpp"
#include "formats/file/payload.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/isa.hpp"
#include "tools/common/app.hpp"
#include "tools/common/progress.hpp"
#include "tools/compress/archive_maker.hpp"
#include "tools/compress/coding_model.hpp"
#include "tools/compress/names.hpp"
#include "tools/compress/runs.hpp"
#include "tools/compress/summary.hpp"
#include "tools/compress/targets.hpp"

#include <algorithm>
#include <bit>

namespace logpx::compress {
namespace {

bool is_plain(const std::string& file) { return file != "-" && !is_stream(file); }

class EncodeRun {
 public:
  EncodeRun(App& app, const EncodeOptions& options) : app_(app), options_(options), targets_(app) {}
  void run();

 private:
  void take_operands();
  void check_options() const;
  void open_model();
  void make_or_tell(const std::vector<std::string>& files, const std::string& target);
  void make(const std::vector<std::string>& files, const std::string& target);
  struct Archive;
  [[nodiscard]] Archive write(const std::vector<std::string>& files,
                              std::unique_ptr<MemberInput> first, const std::string& target,
                              const Coding& coding);
  [[nodiscard]] std::vector<std::uint8_t> sample_items(const ModelCodec& codec,
                                                       const archive::CodingUnits& units,
                                                       std::int64_t items) const;
  [[nodiscard]] std::unique_ptr<MemberInput> open(const std::string& file,
                                                  const archive::CodingUnits& units,
                                                  const Note& note) const;
  [[nodiscard]] std::unique_ptr<MemberInput> open(const std::string& file,
                                                  const Coding& coding) const {
    return open(file, coding.parameters.units, [this](const std::string& note) { app_.say(note); });
  }
  [[nodiscard]] std::string target_of(const std::string& file) const;
  [[nodiscard]] MakerSettings settings(const Coding& coding) const;
  [[nodiscard]] std::uint64_t bytes_of(MemberInput& input, const Coding& coding) const;
  [[nodiscard]] bool follows_links() const {
    return app_.overwrite() == Overwrite::replace || options_.output == "-";
  }
  [[nodiscard]] bool needs_model() const { return !options_.fallback_only && !options_.store; }
  void report();

  App& app_;
  const EncodeOptions& options_;
  std::string model_path_;
  std::vector<std::string> files_;
  Targets targets_;
  Coding coding_;
  Figures figures_;
};

void EncodeRun::take_operands() {
  files_ = options_.operands;
  if (needs_model()) {
    if (files_.empty())
      fail(ErrorKind::usage, "", "missing MODEL, the first operand",
           "--fallback-only codes without a model");
    model_path_ = files_.front();
    files_.erase(files_.begin());
  }
  if (files_.empty()) files_.push_back("-");
}

void EncodeRun::check_options() const {
  const auto excludes = [](bool both, const char* option, const char* why) {
    if (both) fail(ErrorKind::usage, option, why);
  };
  const bool joined = !options_.output.empty() && files_.size() > 1;
  excludes(options_.store && options_.fallback_only, "--store", "excludes --fallback-only");
  excludes(!needs_model() && options_.embed_model, "--embed-model", "needs a model");
  if (!needs_model())
    refuse_given(app_.fields(),
                 {"--latent-bits", "--particles", "--timesteps", "--order", "--arm-order",
                  "--parallel-steps", "--carry", "--lanes", "--block-items"},
                 "does nothing without a model");
  excludes(options_.store && options_.pixels, "--pixels", "does nothing with --store");
  excludes(!options_.output.empty() && !options_.output_dir.empty(), "--output-dir",
           "excludes --output");
  excludes(options_.remove && joined, "--rm", "keeps files that share an archive");
  excludes(options_.remove && options_.output == "-", "--rm", "keeps files that go to stdout");
  excludes(options_.remove && options_.dataset, "--rm", "keeps datasets");
  excludes(options_.remove && std::ranges::count(files_, "-") > 0, "--rm", "cannot remove stdin");
  excludes(options_.dataset && std::ranges::count(files_, "-") > 0, "--dataset",
           "reads files, not stdin");
  excludes(options_.suffix.empty(), "--suffix", "is empty");
  excludes(!std::has_single_bit(static_cast<std::uint64_t>(options_.lanes)), "--lanes",
           "is none of 1, 2, 4, 8");
  if (std::ranges::count(files_, "-") > 1)
    fail(ErrorKind::usage, "-", "stdin is given for two inputs");
}

void EncodeRun::open_model() {
  if (!needs_model()) {
    coding_.parameters.program = program_text();
    return;
  }
  const ItemSample sample = [this](const ModelCodec& codec, const archive::CodingUnits& units,
                                   std::int64_t items) {
    try {
      return sample_items(codec, units, items);
    } catch (const Error&) {
      return std::vector<std::uint8_t>();
    }
  };
  try {
    coding_ = coding_for_encoder(model_path_, options_, sample, app_.workers());
  } catch (const Error& error) {
    if (error.message().find("HDF5 file") == std::string::npos) throw;
    throw error.with_hint("the first operand is the model; --fallback-only codes without one");
  }
  coding_.parameters.program = program_text();
  app_.add_input({.role = "model",
                  .path = model_path_,
                  .kind = "model",
                  .bytes = {},
                  .content_hash = coding_.content_hash,
                  .provenance = {}});
}

// The first items of the first file that has any, to choose settings by. Streams are left alone,
// and what is wrong with a file is said when its turn comes.
std::vector<std::uint8_t> EncodeRun::sample_items(const ModelCodec& codec,
                                                  const archive::CodingUnits& units,
                                                  std::int64_t items) const {
  std::vector<std::uint8_t> sample;
  const SymbolMap symbols(units.alphabet, units.item->levels);
  for (const std::string& file : files_) {
    if (!is_plain(file)) continue;
    const auto input = options_.dataset ? dataset_input(file, &codec)
                                        : open(file, units, [](const std::string&) {});
    archive::MemberSplitter splitter(input->member(), units, input->supply());
    const auto size = static_cast<std::size_t>(units.item->shape.size());
    for (archive::RawBlock raw; splitter.plan().for_model && splitter.next(raw);) {
      if (!splitter.plan().is_shaped(raw.items, static_cast<std::uint32_t>(raw.bytes.size())))
        break;
      const std::vector<std::uint8_t> values = symbols.symbols_of(raw.bytes);
      const std::size_t wanted = static_cast<std::size_t>(items) * size - sample.size();
      sample.insert(sample.end(), values.begin(),
                    values.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, values.size())));
      if (sample.size() == static_cast<std::size_t>(items) * size) return sample;
    }
    if (!sample.empty()) return sample;
  }
  return sample;
}

std::unique_ptr<MemberInput> EncodeRun::open(const std::string& file,
                                             const archive::CodingUnits& units,
                                             const Note& note) const {
  if (options_.dataset)
    return dataset_input(file, coding_.model ? coding_.model->codec() : nullptr);
  const auto links = follows_links() ? SourceFile::Links::follow : SourceFile::Links::refuse;
  // What a model's alphabet lacks is found before anything is coded: a stream is read twice.
  auto source = !units.alphabet.empty() && !is_plain(file)
                    ? std::make_unique<SourceFile>(SeekableInput(file))
                    : std::make_unique<SourceFile>(file, links);
  return recognise(std::move(source), units, options_.pixels ? Pictures::pixels : Pictures::exact,
                   note);
}

std::string EncodeRun::target_of(const std::string& file) const {
  if (!options_.output.empty()) return options_.output;
  if (file == "-") return "-";
  const std::string name = options_.dataset ? beside(file, dataset_file_name(file)) : file;
  return in_folder(name + options_.suffix, options_.output_dir);
}

MakerSettings EncodeRun::settings(const Coding& coding) const {
  MakerSettings settings;
  settings.methods = options_.store             ? Methods::store
                     : coding.scheme == nullptr ? Methods::fallback
                                                : Methods::model;
  const bool reports = app_.fields().find_option("--report")->given() ||
                       app_.fields().find_option("--json")->given();
  settings.score = reports ? Score::on : Score::off;
  settings.rng = app_.rng();
  settings.verify = options_.verify ? Verify::on : Verify::off;
  settings.batch = blocks_at_once(app_, coding.parameters.units);
  return settings;
}

// What a member would take, without writing it anywhere.
std::uint64_t EncodeRun::bytes_of(MemberInput& input, const Coding& coding) const {
  MakerSettings trial = settings(coding);
  trial.verify = Verify::off;
  trial.score = Score::off;
  ArchiveMaker maker(coding, trial, app_.workers(), [](archive::ByteView) {});
  (void)maker.add(input);
  return maker.bytes();
}

// An archive that is written and has no name yet.
struct EncodeRun::Archive {
  std::unique_ptr<Payload> out;
  std::unique_ptr<MemberInput> input;  // the last
  std::vector<FileRecord> records;     // of all
  Figures figures;
  std::string hash;
};

EncodeRun::Archive EncodeRun::write(const std::vector<std::string>& files,
                                    std::unique_ptr<MemberInput> first, const std::string& target,
                                    const Coding& coding) {
  Archive archive{.out = std::make_unique<Payload>(target, app_.overwrite()),
                  .input = std::move(first),
                  .records = {},
                  .figures = {},
                  .hash = {}};
  Sha256 hash;
  double trials = 0;  // seconds: coding, though nothing of it is written
  MakerSettings maker_settings = settings(coding);
  std::unique_ptr<Progress> progress;
  maker_settings.progress = [&](std::uint64_t done) {
    progress->update(static_cast<double>(done / 1'000'000));
  };
  ArchiveMaker maker(coding, maker_settings, app_.workers(), [&](archive::ByteView bytes) {
    hash.update(bytes);
    archive.out->write(bytes);
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::unique_ptr<MemberInput>& input = archive.input;
    if (i > 0) input = open(files[i], coding);
    const auto total = static_cast<double>(input->member().size.value_or(0) / 1'000'000);
    progress = app_.progress("MB", total);
    const double before = wall_seconds();
    if (auto plain = input->as_bytes();
        plain && bytes_of(*plain, coding) < bytes_of(*input, coding))
      input = std::move(plain);
    trials += wall_seconds() - before;
    const archive::MemberEnd end = maker.add(*input);
    const bool whole = input->member().kind != archive::MemberKind::pixels;
    archive.records.push_back({.role = "file",
                               .path = files[i],
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

void EncodeRun::make(const std::vector<std::string>& files, const std::string& target) {
  const double start = wall_seconds();
  std::unique_ptr<MemberInput> input = open(files.front(), coding_);
  for (const std::string& file : files_) check_not_replaced(file, target);
  if (needs_model()) check_not_replaced(model_path_, target);
  targets_.claim(target);
  if (options_.output.empty() && target != "-") check_no_link(target, app_.overwrite());
  if (app_.dry_run()) {
    OutputFile::check_target(target, app_.overwrite());
    return app_.say("would write " + target);
  }
  Archive archive = write(files, std::move(input), target, coding_);
  // What the model codes nothing of should not need it.
  const bool unused = coding_.scheme != nullptr && archive.figures.blocks_of_model() == 0;
  if (unused && archive.out->is_file() && files.size() == 1 && is_plain(files.front())) {
    const double tried = archive.figures.coding_seconds;
    archive = {};  // its temporary goes before the next is made
    Coding none;
    none.parameters.program = program_text();
    archive = write(files, open(files.front(), none), target, none);
    archive.figures.coding_seconds += tried;
  }
  for (FileRecord& record : archive.records) app_.add_input(std::move(record));
  const archive::Member& member = archive.input->member();
  std::optional<FileAttributes> attributes;
  if (options_.output.empty() && options_.times && member.mode) attributes = attributes_of(member);
  archive.out->commit(attributes);
  if (options_.remove)
    app_.at_end([&app = app_, kept = std::shared_ptr<MemberInput>(std::move(archive.input))] {
      kept->remove([&app](const std::string& text) { app.warn(text); });
    });
  archive.figures.seconds = wall_seconds() - start;
  figures_ += archive.figures;
  tell(
      app_,
      {.role = "archive", .path = target, .hash = archive.hash, .seconds = archive.figures.seconds},
      archive.figures);
}

void EncodeRun::make_or_tell(const std::vector<std::string>& files, const std::string& target) {
  try {
    make(files, target);
  } catch (const Error& error) {
    if (files_.size() == files.size()) throw;
    app_.failed(error);
  }
}

void EncodeRun::report() {
  Json& result = app_.result();
  result = figures_.json();
  result.set("model_identity", coding_.identity.empty() ? Json() : Json(coding_.identity));
  result.set("verified", options_.verify);
  if (coding_.scheme != nullptr) result.set("bound_kind", word_of(coding_.kind));
  if (!reproducible_build())
    result.set("threads", app_.workers().threads()).set("isa", isa_name(active_isa()));
}

void EncodeRun::run() {
  if (options_.selftest) return app_.print(selftest_text());
  require_numerics();
  take_operands();
  check_options();
  open_model();
  if (!options_.output.empty() || (files_.size() == 1 && files_.front() == "-")) {
    make_or_tell(files_, target_of(files_.front()));
    return report();
  }
  for (const std::string& file : files_) {
    if (file.ends_with(options_.suffix) && app_.overwrite() == Overwrite::refuse) {
      app_.warn(file + ": already ends with " + options_.suffix + ", skipped; --force codes it");
      continue;
    }
    make_or_tell({file}, target_of(file));
  }
  report();
}

}  // namespace

void run_encode(App& app, EncodeOptions& options) { EncodeRun(app, options).run(); }

}  // namespace logpx::compress
