#include "tools/compress/encode_inputs.hpp"

#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "tools/archives/block_coder.hpp"
#include "tools/archives/dataset_input.hpp"
#include "tools/archives/names.hpp"
#include "tools/compress/summary.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace logpx::compress {

namespace fs = std::filesystem;
namespace {

// A file, and its name below the given folder ("DIR/sub/a"; for a file: "a").
struct Found {
  fs::path path, below;
};

bool leads_elsewhere(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.is_absolute() || (!normal.empty() && *normal.begin() == "..");
}

class Walk {
 public:
  Walk(App& app, const EncodeOptions& options) : app_(app), options_(options) {
    for (const std::string& target : {options.output, app.fields().find_option("--report")->text()})
      if (!target.empty() && !is_stream(target)) outputs_.insert(place_of(target));
  }
  void add_folder(const std::string& folder) {
    const std::size_t before = found.size();
    const fs::path normal = fs::path(folder).lexically_normal();
    const fs::path last =
        normal.has_filename() ? normal.filename() : normal.parent_path().filename();
    descend(folder, last == "." || last == ".." ? fs::path() : last);
    if (found.size() == before)
      fail(ErrorKind::io, shown(folder), "is a folder without files to code");
  }
  void tell() const {
    if (links_ > 0)
      app_.warn(counted(links_, "symbolic link") +
                " in folders left out; --force follows those to files");
    if (strange_ > 0)
      app_.warn(counted(strange_, "special file") +
                " (a device, pipe or socket) in folders left out");
    if (coded_ > 0)
      app_.warn(counted(coded_, "file") + " in folders left out, which already end with " +
                options_.suffix + "; --force codes them");
  }

  std::vector<Found> found;

 private:
  void descend(const fs::path& folder, const fs::path& below) {
    std::vector<fs::path> names;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      names.push_back(at->path().filename());
    if (error) fail_errno(shown(folder.string()), error.value());
    std::ranges::sort(names);
    for (const fs::path& name : names) take(folder / name, below / name);
  }
  void take(const fs::path& path, const fs::path& below) {
    stop::check();
    const fs::file_status status = fs::symlink_status(path);
    const bool link = fs::is_symlink(status);
    const bool replaces = app_.overwrite() == Overwrite::replace;
    if (fs::is_directory(status)) return descend(path, below);
    if (link && !(replaces && fs::is_regular_file(path))) ++links_;
    else if (!link && !fs::is_regular_file(status)) ++strange_;
    else if (options_.output.empty() && !replaces && path.string().ends_with(options_.suffix))
      ++coded_;
    else if (!outputs_.contains(place_of(path.string()))) found.push_back({path, below});
  }

  App& app_;
  const EncodeOptions& options_;
  std::set<fs::path> outputs_;  // of this run: an archive does not hold itself
  std::size_t links_ = 0, strange_ = 0, coded_ = 0;
};

fs::path name_of_file(const Found& file, const EncodeOptions& options) {
  return options.dataset
             ? fs::path(beside(file.path.string(), dataset_file_name(file.path.string())))
             : file.path;
}

// Files with the same name are named by their paths.
void tell_apart(std::vector<InputFile>& files, const std::vector<Found>& found,
                const EncodeOptions& options) {
  std::map<std::string, int> uses;
  for (const InputFile& file : files) ++uses[file.name];
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].path != "-" && uses[files[i].name] > 1)
      files[i].name = inner_path(name_of_file(found[i], options).string());
}

// Names of all files in one archive; equal names are refused.
void name_together(std::vector<InputFile>& files, const std::vector<Found>& found,
                   const EncodeOptions& options) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].path == "-") continue;
    const fs::path whole = name_of_file(found[i], options);
    files[i].name = leads_elsewhere(whole) ? found[i].below.string() : inner_path(whole.string());
  }
  tell_apart(files, found, options);
  std::set<std::string> names;
  for (const InputFile& file : files)
    if (file.path != "-" && !names.insert(file.name).second)
      fail(ErrorKind::refused, shown(file.path),
           "would be the second member called " + shown(file.name),
           "give each file once; without -o each gets an archive of its own");
}

// Below --output-dir a file has the same name as in its archive.
void name_below(std::vector<InputFile>& files, const std::vector<Found>& found,
                const EncodeOptions& options) {
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].path != "-") files[i].name = found[i].below.string();
  tell_apart(files, found, options);
  for (InputFile& file : files)
    if (file.path != "-") file.target = (fs::path(options.output_dir) / file.name).string();
}

}  // namespace

std::vector<InputFile> input_files(App& app, const EncodeOptions& options,
                                   const Operands& operands) {
  Walk walk(app, options);
  const auto add_or_tell = [&](Walk& to, const std::string& folder) {
    try {
      to.add_folder(folder);
    } catch (const Error& error) {
      if (!options.output.empty() || operands.files.size() == 1) throw;
      app.failed(error);
    }
  };
  for (const std::string& file : operands.files) {
    if (file != "-" && !options.dataset && fs::is_directory(file)) add_or_tell(walk, file);
    else walk.found.push_back({file, fs::path(file).filename()});
  }
  walk.tell();
  std::vector<InputFile> files;
  for (Found& file : walk.found) {
    const std::string path = file.path.string();
    if (options.dataset) file.below = dataset_file_name(path);
    const std::string beside_it = name_of_file(file, options).string();
    InputFile input{.path = path, .name = file.below.filename().string(), .target = beside_it};
    if (path == "-") input.name.clear(), input.target = "-";
    files.push_back(std::move(input));
  }
  if (!options.output.empty()) name_together(files, walk.found, options);
  if (!options.output_dir.empty()) name_below(files, walk.found, options);
  return files;
}

bool is_plain(const std::string& file) { return file != "-" && !is_stream(file); }

std::unique_ptr<MemberInput> EncodeInputs::open_as(const InputFile& file,
                                                   const archive::CodingUnits& units,
                                                   const ModelCodec* codec,
                                                   const Told& told) const {
  if (options_.dataset)
    return dataset_input(file.path, file.name,
                         {.rows = options_.rows,
                          .codec = codec,
                          .order = options_.as_set ? RowOrder::as_set : RowOrder::in_order,
                          .memory = coding_memory(app_)});
  const bool follows = app_.overwrite() == Overwrite::replace || options_.output == "-";
  const auto links = follows ? SourceFile::Links::follow : SourceFile::Links::refuse;
  // Bytes that are not in a model's alphabet are found before coding: a stream is read twice.
  auto source = !units.alphabet.empty() && !is_plain(file.path)
                    ? std::make_unique<SourceFile>(SeekableInput(file.path))
                    : std::make_unique<SourceFile>(file.path, links);
  return recognise(std::move(source), {.units = units,
                                       .name = file.name,
                                       .times = options_.times ? Times::kept : Times::left_out,
                                       .pictures = options_.store    ? Pictures::bytes
                                                   : options_.pixels ? Pictures::pixels
                                                                     : Pictures::exact,
                                       .memory = coding_memory(app_),
                                       .tell = told});
}

std::unique_ptr<MemberInput> EncodeInputs::open(const InputFile& file, const Coding& coding,
                                                const Coding& reader) {
  const archive::CodingUnits& units = coding.parameters.units;
  // Without a model it is the pixels that are coded, whoever wrote them.
  const bool unfolds =
      !units.item && !options_.keep_deflate && units.effort != archive::Effort::fast;
  return open_as(file, units, reader.codec.get(), [&, unfolds](AsBytes why) {
    if (why == AsBytes::memory || !unfolds) as_bytes_[why].insert(file.path);
  });
}

void EncodeInputs::tell() const {
  for (const auto& [why, files] : as_bytes_) {
    const bool one = files.size() == 1;
    std::string text =
        one ? shown(*files.begin()) + ": "
            : std::to_string(files.size()) + (why == AsBytes::memory ? " files: " : " PNG files: ");
    if (why == AsBytes::memory)
      text += std::string(one ? "its pixels take" : "the pixels of each take") +
              " more memory than " + human_bytes(coding_memory(app_)) + " (--memory)";
    else
      text += one ? "its pixels do not tell how it was written"
                  : "their pixels do not tell how they were written";
    text += one ? ", so it is coded as bytes" : ", so they are coded as bytes";
    app_.say(text + (why == AsBytes::foreign_png ? "; --pixels keeps the pixels alone" : ""));
  }
}

std::vector<std::uint8_t> EncodeInputs::sample(const std::vector<InputFile>& files,
                                               const ModelCodec& codec,
                                               const archive::CodingUnits& units,
                                               std::int64_t items) const {
  std::vector<std::uint8_t> sample;
  const SymbolMap symbols(units.alphabet, units.item->levels);
  const auto wanted = static_cast<std::size_t>(items * units.item->shape.size());
  for (const InputFile& file : files) {
    if (!is_plain(file.path)) continue;
    const auto input = open_as(file, units, &codec, [](AsBytes) {});
    archive::MemberSplitter splitter(input->member(), units, input->supply());
    for (archive::Piece piece; splitter.plan().for_model && splitter.next(piece);) {
      const archive::ByteView shaped = archive::ByteView(piece.bytes).first(piece.step.shaped);
      const std::size_t whole =
          shaped.size() - shaped.size() % static_cast<std::size_t>(units.item->shape.size());
      if (whole == 0) break;
      const std::vector<std::uint8_t> values = symbols.symbols_of(shaped.first(whole));
      const std::size_t taken = std::min(wanted - sample.size(), values.size());
      sample.insert(sample.end(), values.begin(),
                    values.begin() + static_cast<std::ptrdiff_t>(taken));
      if (sample.size() == wanted) return sample;
    }
    if (!sample.empty()) return sample;
  }
  return sample;
}

}  // namespace logpx::compress
