// Shows what an artifact, a report or a training history holds: kind, attributes, tables with their
// shapes and ranges, splits; its content hash, and how it was made. With --check it reads
// everything and compares.
#include "formats/archive/records.hpp"
#include "formats/artifact.hpp"
#include "formats/file/input.hpp"
#include "formats/inspection.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/app.hpp"

#include <filesystem>
#include <span>
#include <utility>

using namespace logpx;

namespace {

struct Options {
  std::string file;
  bool check = false, hash = false, provenance = false;

  void describe(Fields& f) {
    f.add("file", file, "an artifact (HDF5), a report (JSON) or a history (JSON lines)")
        .positional()
        .required()
        .metavar("FILE")
        .files("*.{h5,json,jsonl}");
    f.group("what to say");
    f.add("check", check, "read everything and compare with the content hash; exit 3 if it differs")
        .external();
    f.add("hash", hash, "print the content hash alone").external();
    f.add("provenance", provenance, "print how the file was made (JSON)").external();
  }
};

const ToolSpec spec{
    .name = "inspect",
    .purpose = "say what an artifact, report or history holds",
    .usage = {"FILE [--check] [--hash | --provenance]"},
    .examples = {{"inspect digits.h5", "kind, attributes, splits, tables and their ranges"},
                 {"inspect --hash vae.h5", "equal runs make files of equal hash"},
                 {"inspect --check vae.h5 > facts.json",
                  "read everything, too, and exit 3 if it changed"},
                 {"inspect --provenance vae.h5", "the command, settings and inputs behind it"}},
    .kind = ToolKind::answer,
    .without_effect = {"seed", "threads", "memory"},
};

std::string first_bytes(const SeekableInput& input) {
  ByteReader reader(input.path().string());
  std::string first(64, ' ');
  first.resize(reader.read(std::as_writable_bytes(std::span(first))));
  return first;
}

bool is_text(const std::string& first) {
  const std::size_t start = first.find_first_not_of(" \t\r\n");
  return start != std::string::npos && first[start] == '{';
}

void show(App& app, const Options& options, const std::string& hash, const Json& provenance) {
  if (options.hash) app.print(hash + '\n');
  if (options.provenance) app.print(provenance.dump() + '\n');
}

void inspect_text(App& app, const Options& options, const SeekableInput& input) {
  const std::string text = read_text_file(input.path().string());
  const TextFacts facts = describe_text(text, input.name());
  const std::string hash = sha256_hex(text);
  if (options.provenance && facts.provenance.is_null())
    fail(ErrorKind::data, input.name(), "is a history: it does not say how it was made",
         "its model does: inspect --provenance MODEL");
  app.add_input({.role = facts.kind,
                 .path = options.file,
                 .kind = facts.kind,
                 .bytes = text.size(),
                 .content_hash = hash});
  if (app.dry_run()) return;
  show(app, options, hash, facts.provenance);
  app.result() = facts.facts;
  app.say(input.name() + ": " + facts.kind + ", " + human_bytes(text.size()));
}

// "dataset, 9.8 MiB, 60000 rows; content hash matches"
std::string summary(const ArtifactFile& file, const Options& options) {
  std::string text =
      file.name() + ": " + word_of(file.kind()) + ", " + human_bytes(file.file().bytes());
  if (file.find("n")) text += ", " + std::to_string(file.integer("n")) + " rows";
  if (file.find("family")) text += ", family " + file.text("family");
  if (file.find("step")) text += ", step " + std::to_string(file.integer("step"));
  return text + (options.check ? "; content hash matches" : "");
}

void inspect_artifact(App& app, const Options& options, SeekableInput&& input) {
  ArtifactFile file(std::move(input));
  app.add_input({.role = word_of(file.kind()),
                 .path = options.file,
                 .kind = word_of(file.kind()),
                 .bytes = file.file().bytes(),
                 .content_hash = file.content_hash()});
  if (app.dry_run()) return;
  if (options.hash || options.provenance)
    show(app, options, file.content_hash(), options.provenance ? file.provenance() : Json());
  else app.result() = describe_artifact(file);
  if (options.check) app.result().set("checked", true);
  const std::string said = summary(file, options);
  if (options.check) check_artifact(std::move(file));
  app.say(said);
}

// Refuses "d.h5:train", which tools that read rows would take.
void refuse_split(const std::string& name) {
  const std::string file = name.substr(0, name.rfind(':'));
  if (file == name || std::filesystem::exists(name) || !std::filesystem::exists(file)) return;
  fail(ErrorKind::usage, name, "names a split; whole files are inspected, with all their splits",
       "inspect " + file);
}

void run(App& app, Options& options) {
  if (options.hash && options.provenance) fail(ErrorKind::usage, "--hash", "excludes --provenance");
  refuse_split(options.file);
  SeekableInput input(options.file);
  const std::string first = first_bytes(input);
  if (first.starts_with(archive::format_magic))
    fail(ErrorKind::data, input.name(), "is an .lpx archive, not an artifact",
         "bits-back-decode --list " + App::again(options.file, "FILE.lpx"));
  if (is_text(first)) inspect_text(app, options, input);
  else inspect_artifact(app, options, std::move(input));
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
