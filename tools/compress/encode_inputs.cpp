#include "tools/compress/encode_inputs.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "tools/common/app.hpp"
#include "tools/compress/block_coder.hpp"

#include <algorithm>

namespace logpx::compress {

bool is_plain(const std::string& file) { return file != "-" && !is_stream(file); }

std::unique_ptr<MemberInput> EncodeInputs::open_as(const std::string& file,
                                                   const archive::CodingUnits& units,
                                                   const ModelCodec* codec,
                                                   const Note& note) const {
  if (options_.dataset) return dataset_input(file, codec);
  const bool follows = app_.overwrite() == Overwrite::replace || options_.output == "-";
  const auto links = follows ? SourceFile::Links::follow : SourceFile::Links::refuse;
  // What a model's alphabet lacks is found before anything is coded: a stream is read twice.
  auto source = !units.alphabet.empty() && !is_plain(file)
                    ? std::make_unique<SourceFile>(SeekableInput(file))
                    : std::make_unique<SourceFile>(file, links);
  return recognise(std::move(source), units, options_.pixels ? Pictures::pixels : Pictures::exact,
                   note);
}

std::unique_ptr<MemberInput> EncodeInputs::open(const std::string& file, const Coding& coding,
                                                const Coding& reader) const {
  return open_as(file, coding.parameters.units, reader.model ? reader.model->codec() : nullptr,
                 [this](const std::string& note) { app_.say(note); });
}

std::vector<std::uint8_t> EncodeInputs::sample(const std::vector<std::string>& files,
                                               const ModelCodec& codec,
                                               const archive::CodingUnits& units,
                                               std::int64_t items) const {
  std::vector<std::uint8_t> sample;
  const SymbolMap symbols(units.alphabet, units.item->levels);
  const auto wanted = static_cast<std::size_t>(items * units.item->shape.size());
  for (const std::string& file : files) {
    if (!is_plain(file)) continue;
    const auto input = open_as(file, units, &codec, [](const std::string&) {});
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
