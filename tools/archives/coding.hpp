// How an archive is coded: by which model, scheme and parameters. An encoder makes it from a model
// file, a decoder from an archive's header.
// [codec/README 4]
#pragma once

#include "formats/archive/records.hpp"
#include "libcore/codec/scheme.hpp"
#include "libcore/model/codec.hpp"
#include "tools/archives/parameters.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx::compress {

struct Coding {
  Parameters parameters;
  archive::ModelUse use = archive::ModelUse::none;
  std::string identity, content_hash;  // of the model
  archive::ByteVector embedded;        // the model file that goes into the archive
  std::shared_ptr<const Model> model;
  std::shared_ptr<const ModelCodec> codec;  // looks into the model, and scheme into both
  std::unique_ptr<const codec::Scheme> scheme;
  Bound kind = Bound::exact;                     // kind of the scheme's log p(x)
  bool as_set = false;                           // the order of items is given up
  archive::ByteVector prime;                     // what the adaptive coder reads first
  std::optional<archive::Block> embedded_prime;  // the same as it goes into the archive

  [[nodiscard]] archive::ArchiveHeader header() const {
    return {.effort = parameters.units.effort,
            .model = use,
            .embeds_prime = embedded_prime.has_value(),
            .codes_sets = as_set,
            .model_identity = identity,
            .parameters = parameters.json()};
  }
};

// What an archive embeds for its decoder.
struct Enclosed {
  const archive::EmbeddedModel* model = nullptr;
  const archive::ByteVector* prime = nullptr;
};

// The kind of machine: "x86_64".
[[nodiscard]] std::string host_text();

}  // namespace logpx::compress
