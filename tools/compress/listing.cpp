#include "tools/compress/listing.hpp"

#include "libcore/base/number_text.hpp"
#include "tools/compress/names.hpp"
#include "tools/compress/parameters.hpp"

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
            std::to_string(share.blocks) + (share.blocks == 1 ? " block" : " blocks");
    if (share.raw_bytes > 0)
      text += " of " + std::to_string(share.raw_bytes) + " -> " +
              std::to_string(share.coded_bytes) + " bytes, " +
              four_digits(8.0 * static_cast<double>(share.coded_bytes) /
                          static_cast<double>(share.raw_bytes)) +
              " bits/dim";
  }
  return text.empty() ? "no blocks" : text;
}

std::string header_text(const archive::ArchiveHeader& header) {
  std::string text = "  parameters " + archive::canonical_json(header.parameters) + '\n';
  if (header.model == archive::ModelUse::none) return text;
  return text + "  model " + header.model_identity +
         (header.model == archive::ModelUse::embedded ? " (embedded)\n" : "\n");
}

}  // namespace

Listing list_archive(archive::ByteSupply supply) {
  Listing listing;
  archive::ArchiveReader reader(std::move(supply));
  while (auto item = reader.next()) {
    if (auto* header = std::get_if<archive::ArchiveHeader>(&*item)) {
      listing.parts.push_back({std::move(*header), {}});
    } else if (auto* member = std::get_if<archive::Member>(&*item)) {
      listing.parts.back().members.push_back({std::move(*member), 0, {}});
    } else if (const auto* block = std::get_if<archive::Block>(&*item)) {
      listing.parts.back().members.back().figures.add(*block);
      listing.figures.add(*block);
    } else if (const auto* end = std::get_if<archive::MemberEnd>(&*item)) {
      Listing::Entry& entry = listing.parts.back().members.back();
      entry.size = end->size;
      entry.figures.add_member(end->size, entry.member);
      listing.figures.add_member(end->size, entry.member);
    }
  }
  listing.figures.archive_bytes = reader.offset();
  return listing;
}

std::string Listing::text(const std::string& file, Detail detail) const {
  std::string text = shown(file) + ": " + std::to_string(figures.members) +
                     (figures.members == 1 ? " member, " : " members, ") +
                     std::to_string(figures.original_bytes) + " bytes in " +
                     std::to_string(figures.archive_bytes) + '\n';
  for (const Part& part : parts) {
    if (detail == Detail::full) text += header_text(part.header);
    for (const Entry& entry : part.members) {
      const std::string name = entry.member.name.empty() ? "-" : shown(entry.member.name);
      text += padded(std::to_string(entry.size), 14) +
              padded(std::to_string(entry.figures.coded_bytes()), 14) + "  " +
              archive::word_of(entry.member.kind) + "  " + name + '\n';
      if (detail == Detail::full) text += std::string(30, ' ') + shares_of(entry.figures) + '\n';
    }
  }
  return text;
}

}  // namespace logpx::compress
