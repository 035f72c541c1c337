// Codings from models: from a file that the user names, from an archive that embeds one, or from
// folders searched by identity.
#pragma once

#include "libcore/base/parallel.hpp"
#include "tools/archives/block_coder.hpp"
#include "tools/archives/coding.hpp"
#include "tools/store/job_options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace logpx::compress {

// The identity of a model: a hash over its config, data description and tensors.
[[nodiscard]] std::string identity_of(Model& model);

// How an encoder uses its model.
struct CodingOptions {
  bool model_only = false, embed_model = false;
  bool as_set = false;           // the order of items, and labels that do not matter, are given up
  std::int64_t block_items = 0;  // 0: as many as the coders do best with
  std::int64_t lanes = 1;
  archive::Effort effort = archive::Effort::normal;  // over what no model codes
  JobOptions knobs{Job::code};  // how the model codes: its plan knows what they may be
};

// For an encoder. `sample` gives up to so many items of the first input, as symbols, for whatever
// the options leave to be chosen; it may give none.
using ItemSample = std::function<std::vector<std::uint8_t>(
    const ModelCodec&, const archive::CodingUnits&, std::int64_t items)>;
[[nodiscard]] Coding coding_for_encoder(std::shared_ptr<Model> model, const CodingOptions& options,
                                        const ItemSample& sample, Workers& workers);
[[nodiscard]] Coding coding_for_encoder(const std::string& model_path, const CodingOptions& options,
                                        const ItemSample& sample, Workers& workers);

// For a decoder: finds the model that an archive needs.
class ModelFinder {
 public:
  struct Places {
    std::string operand;               // a model file; empty: none was named
    std::shared_ptr<Model> model;      // instead of a file
    std::vector<std::string> folders;  // to be searched by identity
    bool trust_embedded = false;
    std::string prime = {};  // what the adaptive coder reads first
  };
  ModelFinder(Places places, Workers& workers) : places_(std::move(places)), workers_(workers) {}

  // A data error if none fits, which is checked by computing the probe again.
  [[nodiscard]] std::unique_ptr<Coding> coding_for(const archive::ArchiveHeader& header,
                                                   const Enclosed& enclosed);

 private:
  [[nodiscard]] bool is_last(const std::string& identity,
                             const archive::EmbeddedModel* embedded) const;
  [[nodiscard]] std::shared_ptr<Model> model_for(const archive::ArchiveHeader& header,
                                                 const Parameters& parameters,
                                                 const archive::EmbeddedModel* embedded);
  [[nodiscard]] std::shared_ptr<Model> search(const std::string& identity,
                                              const std::string& family);

  Places places_;
  Workers& workers_;
  std::string last_identity_;  // of the last model; empty: none is known to fit
  std::string last_embedded_;  // SHA-256 of the archive's own model, if it was that
  std::shared_ptr<Model> last_;
  std::string unread_;  // the first file in those folders that could not be read, and why
};

}  // namespace logpx::compress
