#include "tools/compress/encode_inputs.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/archives/block_coder.hpp"
#include "tools/archives/names.hpp"
#include "tools/compress/summary.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>

namespace logpx::compress {

bool is_plain(const std::string& file) { return file != "-" && !is_stream(file); }

std::unique_ptr<MemberInput> EncodeInputs::open_as(const InputFile& file,
                                                   const archive::CodingUnits& units,
                                                   const ModelCodec* codec,
                                                   const Told& told) const {
  if (options_.dataset) return dataset_input(file.path, file.name, options_.rows, codec);
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
  return open_as(file, coding.parameters.units, reader.codec.get(),
                 [&](AsBytes why) { as_bytes_[why].insert(file.path); });
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
