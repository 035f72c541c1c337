#include "tools/archives/listing.hpp"

#include "formats/archive/run_parts.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/archives/block_coder.hpp"
#include "tools/archives/names.hpp"
#include "tools/archives/parameters.hpp"

#include <algorithm>

namespace logpx::compress {
namespace {

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string shares_of(const Figures& figures) {
  std::string text;
  for (std::size_t i = 0; i < figures.coders.size(); ++i) {
    const Figures::Share& share = figures.coders[i];
    if (share.blocks == 0) continue;
    text += (text.empty() ? "" : ", ") +
            std::string(archive::word_of(static_cast<archive::BlockCoder>(i))) + ' ' +
            counted(share.blocks, "block");
    if (share.raw_bytes > 0)
      text += " of " + std::to_string(share.raw_bytes) + " -> " +
              std::to_string(share.coded_bytes) + " bytes, " +
              four_digits(8.0 * static_cast<double>(share.coded_bytes) /
                          static_cast<double>(share.raw_bytes)) +
              " bits/dim";
  }
  return text.empty() ? "no blocks" : text;
}

std::string streams_of(const Listing::Entry& entry) {
  std::string text;
  for (const auto& [how, count] : entry.streams)
    text +=
        (text.empty() ? "DEFLATE like " : ", like ") + how + " (" + counted(count, "stream") + ')';
  return entry.pictures == 0 ? text : text + ", " + counted(entry.pictures, "picture") + " of PNG";
}

std::string header_text(const Listing::Part& part) {
  const archive::ArchiveHeader& header = part.header;
  std::string text = "  version " + std::to_string(header.major) + '.' +
                     std::to_string(header.minor) + ", effort " + word_of(header.effort) +
                     (header.small ? ", small" : "") + ", parameters " +
                     archive::canonical_json(header.parameters) + '\n';
  if (header.embeds_prime)
    text += "  prime of " + std::to_string(part.prime_bytes) + " bytes (embedded, " +
            std::to_string(part.coded_prime_bytes) + " bytes)\n";
  if (part.decision_bytes > 0)
    text += "  what cannot be foretold of DEFLATE streams takes " +
            std::to_string(part.decision_bytes) + " bytes\n";
  if (header.model == archive::ModelUse::none) return text;
  text += "  model " + header.model_identity;
  if (header.model == archive::ModelUse::embedded)
    text += " (embedded, " + std::to_string(part.model_bytes) + " bytes)";
  return text + (header.codes_sets ? "\n  blocks of the model are sets\n" : "\n");
}

}  // namespace

namespace {

class Lister {
 public:
  explicit Lister(archive::ByteSupply supply) : reader_(std::move(supply)) {}
  [[nodiscard]] Listing list() {
    while (auto item = reader_.next())
      std::visit([this](auto&& part) { take(std::move(part)); }, std::move(*item));
    listing_.figures.archive_bytes = reader_.offset();
    return std::move(listing_);
  }

 private:
  [[nodiscard]] std::vector<Listing::Entry>& members() { return listing_.parts.back().members; }
  void complete(Listing::Entry& entry) {
    entry.figures.add_member(entry.size, entry.member);
    listing_.figures.add_member(entry.size, entry.member);
  }

  void take(archive::ArchiveHeader&& header) {
    parameters_ = Parameters::parse(header.parameters);
    parameters_.units.effort = header.effort;
    coder_.emplace(BlockSettings{}, parameters_.units);
    listing_.parts.push_back({.header = std::move(header), .members = {}});
  }
  void take(archive::EmbeddedPrime&& prime) {
    listing_.parts.back().prime_bytes = prime.coded.raw_bytes;
    listing_.parts.back().coded_prime_bytes = prime.coded.payload.size();
  }
  void take(archive::EmbeddedModel&& model) {
    listing_.parts.back().model_bytes = model.bytes.size();
  }
  void take(archive::CodedRun&& coded) {
    expect_no_block();
    const archive::ByteVector table =
        coder_->decode(coded.table, archive::view_of_bytes(coded.table.raw_bytes), 0);
    std::optional<archive::RunPart> open;
    if (run_ && !run_->parts.empty() && run_->parts.back().goes_on)
      open = std::move(run_->parts.back());
    run_ =
        open_run(archive::parse_run(table), parameters_.units, std::move(open), members().size());
    for (const archive::RunPart& part : run_->parts) {
      if (part.number > members().size()) members().push_back({part.member, 0, {}});
      Listing::Entry& entry = members().back();
      if (part.recipe) count_streams(entry, *part.recipe);
      if (part.goes_on) continue;
      entry.size = archive::file_bytes(part);
      complete(entry);
    }
    listing_.parts.back().decision_bytes +=
        total_bytes(run_->carried_decisions) + total_bytes(run_->decisions);
    next_ = run_->plan.next_block();
  }
  static void count_streams(Listing::Entry& entry, const archive::Recipe& recipe) {
    for (const archive::RecipeStep& step : recipe.steps) {
      if (step.what != archive::RecipeStep::What::open) continue;
      if (is_stream(step.layer)) ++entry.streams[in_words(archive::parameters_of(step.how))];
      if (step.layer == archive::Layer::rows) ++entry.pictures;
    }
  }
  void take(archive::Block&& block) {
    if (!next_) fail(ErrorKind::data, reader_.place(), "belongs to no member");
    block.raw_bytes = next_->bytes;
    block.items = next_->items;
    listing_.figures.add(block);
    // Rounded so that the shares of a block make up its bytes.
    std::uint64_t raw = 0, coded = 0;
    run_->plan.each_share(*next_, [&](std::size_t part, std::uint64_t bytes) {
      raw += bytes;
      const std::uint64_t until = block.payload.size() * raw / block.raw_bytes;
      members()[run_->parts[part].number - 1].figures.add_share(block.coder, bytes, until - coded);
      coded = until;
    });
    next_ = run_->plan.next_block();
  }
  void take(archive::ArchiveEnd&&) {
    expect_no_block();
    run_.reset();
  }
  void expect_no_block() const {
    if (next_) fail(ErrorKind::data, reader_.place(), "is followed by too few blocks");
  }

  archive::ArchiveReader reader_;
  Listing listing_;
  Parameters parameters_;
  std::optional<BlockCoder> coder_;
  std::optional<archive::OpenedRun> run_;
  std::optional<archive::BlockView> next_;
};

}  // namespace

Listing list_archive(archive::ByteSupply supply) { return Lister(std::move(supply)).list(); }

std::string Listing::text(const std::string& file, Detail detail) const {
  std::string text = shown(file) + ": " + counted(figures.members, "member") + ", " +
                     std::to_string(figures.original_bytes) + " bytes in " +
                     std::to_string(figures.archive_bytes) + '\n';
  for (const Part& part : parts) {
    if (detail == Detail::full) text += header_text(part);
    for (const Entry& entry : part.members) {
      const std::string name = entry.member.name.empty() ? "-" : shown(entry.member.name);
      text += padded(std::to_string(entry.size), 14) +
              padded(std::to_string(entry.figures.coded_bytes()), 14) + "  " +
              archive::word_of(entry.member.kind) + "  " + name + '\n';
      if (detail == Detail::full) text += std::string(30, ' ') + shares_of(entry.figures) + '\n';
      if (detail == Detail::full && !entry.streams.empty())
        text += std::string(30, ' ') + streams_of(entry) + '\n';
    }
  }
  return text;
}

}  // namespace logpx::compress
