#include "tools/archives/coding_model.hpp"

#include "formats/archive/identity.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/math/repeatable.hpp"
#include "tools/archives/capsule.hpp"
#include "tools/archives/names.hpp"
#include "tools/archives/prime.hpp"
#include "tools/store/model_store.hpp"

#include <algorithm>
#include <filesystem>

namespace logpx::compress {
namespace fs = std::filesystem;
namespace {

// Tensors for the identity: whole numbers become i32, however they are stored.
TensorView hashed_view(const TensorRef& tensor, std::vector<std::vector<std::int32_t>>& kept) {
  TensorView view = view_of(tensor);
  if (tensor.type != NumberType::i64 && tensor.type != NumberType::u8) return view;
  std::vector<std::int32_t>& values = kept.emplace_back();
  const auto put = [&](std::int64_t value) {
    if (value != static_cast<std::int32_t>(value))
      fail(ErrorKind::data, tensor.name, "has numbers that no codec uses");
    values.push_back(static_cast<std::int32_t>(value));
  };
  if (tensor.type == NumberType::u8)
    for (const std::byte byte : tensor.bytes) put(std::to_integer<std::int64_t>(byte));
  else
    for (std::size_t at = 0; at + 8 <= tensor.bytes.size(); at += 8) {
      archive::WireReader in(tensor.bytes.subspan(at, 8), tensor.name);
      put(in.i64());
    }
  return TensorView::of<std::int32_t>(tensor.name, values, view.shape);
}

std::shared_ptr<const ModelCodec> codec_of(const Model& model) {
  if (!model.info().data.tokens.empty())
    fail(ErrorKind::data, "", "reads tokens of text, and only bytes can be coded",
         "pack-data text --alphabet bytes");
  if (std::shared_ptr<const ModelCodec> codec = abilities(model).code) return codec;
  fail(ErrorKind::data, "", "is a model of family " + model.info().family + ", which does not code",
       "families that do: " + families_with(&Family::code));
}

// Takes settings and scheme from the model's codec; the plan's knobs are already set.
void complete(Coding& coding, CodingPlan& plan, Workers& workers) {
  Fields knobs;
  plan.describe(knobs);
  coding.parameters.settings = Json::object();
  for (const Field& knob : knobs.all())
    if (knob.is_set()) coding.parameters.settings.set(knob.key(), knob.text());
  coding.scheme = plan.scheme(workers);
  coding.kind = plan.kind();
  if (!coding.as_set) return;
  plan.require_own_scores();
  coding.scheme =
      std::make_unique<codec::ItemSet>(std::move(coding.scheme), coding.codec->labels());
}

void take_item(Parameters& parameters, const CodedItem& item, std::int64_t block_items) {
  archive::CodingUnits& units = parameters.units;
  if (item.size() > archive::max_block_bytes || item.levels > 256)
    fail(ErrorKind::data, "", "codes items that no archive can hold");
  units.item = archive::ItemShape{{item.height, item.width, item.channels}, item.levels};
  units.sequence = item.kind == CodedItem::Kind::run;
  units.short_last = units.sequence && item.short_last;
  units.alphabet = item.alphabet;
  units.block_items = block_items > 0 ? block_items : usual_block_items(units);
}

// Contexts learn from the first byte of a block to its last, so what they code together with the
// model comes in blocks as long as theirs.
bool learns_in_blocks(const codec::Scheme& scheme, const CodingOptions& options) {
  return options.effort != archive::Effort::fast && !options.model_only &&
         scheme.next_symbol() != nullptr;
}

// The hash on which both sides must agree before anything else is trusted.
std::string probe(const Coding& coding, const CodedItem& item) {
  return probe_of(*coding.scheme, item, coding.parameters.lanes);
}

}  // namespace

std::string identity_of(Model& model) {
  const DatasetInfo& data = model.info().data;
  Json config = Json::object();
  config.set("codec", model.info().family).set("numerics", std::int64_t{numerics_id});
  config.set("config", config_of(model));
  config.set("levels", data.levels).set("shape", Json::array_of(data.shape));
  std::vector<TensorView> tensors;
  std::vector<std::vector<std::int32_t>> kept;
  model.params(
      [&](const TensorRef& tensor, TensorRole) { tensors.push_back(hashed_view(tensor, kept)); });
  return archive::model_identity(archive::canonical_json(config), std::move(tensors));
}

namespace {

struct Candidate {
  std::shared_ptr<Model> model;
  archive::ByteVector capsule;
};

Coding coding_of(const Candidate& candidate, const CodingOptions& options, const ItemSample& sample,
                 Workers& workers) {
  Coding coding;
  coding.as_set = options.as_set;
  Model& model = *candidate.model;
  coding.model = candidate.model;
  coding.codec = codec_of(model);
  const ModelCodec& codec = *coding.codec;
  const auto plan = codec.plan();
  Fields knobs;
  plan->describe(knobs);
  options.knobs.hand_to(knobs, {model.info().family, "coding"});
  coding.parameters.codec = model.info().family;
  coding.parameters.lanes = static_cast<int>(options.lanes);
  coding.parameters.host = host_text();
  take_item(coding.parameters, codec.item(), options.block_items);
  plan->settle(sample(codec, coding.parameters.units, 16), workers);
  complete(coding, *plan, workers);
  if (options.block_items == 0 && (coding.as_set || learns_in_blocks(*coding.scheme, options)))
    coding.parameters.units.block_items = archive::max_block_bytes;  // as many as fit
  coding.parameters.probe = probe(coding, codec.item()).substr(0, probe_digits);
  coding.identity = identity_of(model);
  coding.use = archive::ModelUse::named;
  if (!candidate.capsule.empty()) {
    coding.use = archive::ModelUse::embedded;
    coding.embedded = candidate.capsule;
  }
  return coding;
}

// How many bytes a sample of items takes as one block.
std::size_t sample_bytes(const Coding& coding, std::span<const std::uint8_t> items) {
  codec::Message message(coding.parameters.lanes);
  codec::Costs costs;
  coding.scheme->encode(message, items, 0, costs);
  return message.serialised_bytes();
}

// With weights of 16 bits where the sample, taken for all of the input, says that it pays.
Coding embedded_coding(std::shared_ptr<Model> model, const CodingOptions& options,
                       const ItemSample& sample, Workers& workers) {
  Coding whole =
      coding_of({model, make_capsule(*model, CapsulePrecision::whole)}, options, sample, workers);
  archive::ByteVector small = make_capsule(*model, CapsulePrecision::half);
  if (small.size() >= whole.embedded.size()) return whole;
  Coding half;
  try {
    std::shared_ptr<Model> rounded = open_capsule(small);
    half = coding_of({std::move(rounded), std::move(small)}, options, sample, workers);
  } catch (const Error&) {
    return whole;  // some weight does not fit into 16 bits
  }
  const std::vector<std::uint8_t> items = sample(*whole.codec, whole.parameters.units, 256);
  const std::size_t with_whole = whole.embedded.size() + sample_bytes(whole, items),
                    with_half = half.embedded.size() + sample_bytes(half, items);
  return with_half < with_whole ? std::move(half) : std::move(whole);
}

}  // namespace

Coding coding_for_encoder(std::shared_ptr<Model> model, const CodingOptions& options,
                          const ItemSample& sample, Workers& workers) {
  (void)codec_of(*model);
  return options.embed_model ? embedded_coding(std::move(model), options, sample, workers)
                             : coding_of({std::move(model), {}}, options, sample, workers);
}

Coding coding_for_encoder(const std::string& model_path, const CodingOptions& options,
                          const ItemSample& sample, Workers& workers) {
  const ModelFile file(model_path);
  std::shared_ptr<Model> model = load_model(file).model;
  try {
    Coding coding = coding_for_encoder(std::move(model), options, sample, workers);
    coding.content_hash = file.content_hash();
    return coding;
  } catch (const Error& error) {
    // An option's value is the user's, anything else the file's.
    throw error.kind() == ErrorKind::usage ? error : error.within(file.name());
  }
}

std::shared_ptr<Model> ModelFinder::search(const std::string& identity, const std::string& family) {
  for (const std::string& folder : places_.folders) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
      if (entry.path().extension() != ".h5" || !entry.is_regular_file(ignored)) continue;
      try {
        ArtifactFile opened(entry.path().string());
        if (opened.kind() != ArtifactKind::model) continue;
        const ModelFile file(std::move(opened));
        if (file.family() != family) continue;
        std::shared_ptr<Model> model = load_model(file).model;
        if (identity_of(*model) == identity) return model;
      } catch (const Error& error) {
        // A file that cannot be read may be the wanted model.
        if (unread_.empty()) unread_ = "; " + std::string(error.what());
      }
    }
  }
  return nullptr;
}

// A model embedded in one archive serves the next only if that one embeds the same.
bool ModelFinder::is_last(const std::string& identity,
                          const archive::EmbeddedModel* embedded) const {
  if (identity != last_identity_) return false;
  return last_embedded_.empty() ||
         (embedded != nullptr && sha256_hex(embedded->bytes) == last_embedded_);
}

std::shared_ptr<Model> ModelFinder::model_for(const archive::ArchiveHeader& header,
                                              const Parameters& parameters,
                                              const archive::EmbeddedModel* embedded) {
  const std::string& wanted = header.model_identity;
  if (is_last(wanted, embedded)) return last_;
  last_identity_.clear();
  last_embedded_.clear();
  const std::string needs =
      "needs model " + wanted.substr(0, 8) + "... (" + parameters.model_words() + ")";
  std::shared_ptr<Model> named = places_.model;
  if (!places_.operand.empty()) named = load_model(ModelFile(places_.operand)).model;
  std::string but;
  if (named != nullptr) {
    const std::string found = identity_of(*named);
    if (found == wanted) return named;
    but = ", but " + (places_.operand.empty() ? "the model" : places_.operand) + " is " +
          found.substr(0, 8) + "...";
    if (embedded == nullptr)
      fail(ErrorKind::data, "", needs + but, "name the model or set LOGPX_MODEL_PATH");
  }
  if (auto model = search(wanted, parameters.codec)) return model;
  if (embedded == nullptr)
    fail(ErrorKind::data, "", needs + unread_, "name the model or set LOGPX_MODEL_PATH");
  if (!places_.trust_embedded)
    fail(ErrorKind::refused, "",
         (but.empty() ? "brings its own model along" : needs + but + "; it brings this one along") +
             ", which may do anything that a model can",
         "--trust-embedded-model uses it");
  std::shared_ptr<Model> model = open_capsule(embedded->bytes);
  if (identity_of(*model) != wanted)
    fail(ErrorKind::data, "embedded model", "is not the one that the header names");
  last_embedded_ = sha256_hex(embedded->bytes);
  return model;
}

std::unique_ptr<Coding> ModelFinder::coding_for(const archive::ArchiveHeader& header,
                                                const Enclosed& enclosed) {
  auto coding = std::make_unique<Coding>();
  coding->parameters = Parameters::parse(header.parameters);
  coding->parameters.units.effort = header.effort;
  coding->use = header.model;
  coding->identity = header.model_identity;
  coding->as_set = header.codes_sets;
  if ((header.model == archive::ModelUse::none) != !coding->parameters.units.item)
    fail(ErrorKind::data, "header", "contradicts itself about its model");
  find_prime(*coding, places_.prime, enclosed.prime);
  if (header.model == archive::ModelUse::none) return coding;
  last_ = model_for(header, coding->parameters, enclosed.model);
  last_identity_ = header.model_identity;
  try {
    coding->model = last_;
    coding->codec = codec_of(*last_);
    const ModelCodec& codec = *coding->codec;
    const Parameters stored = coding->parameters;
    take_item(coding->parameters, codec.item(), stored.units.block_items);
    if (coding->parameters.json() != stored.json())
      fail(ErrorKind::data, "", "items are not those of the model");
    const auto plan = codec.plan();
    Fields knobs;
    plan->describe(knobs);
    for (const auto& [key, value] : stored.settings.members()) {
      Field* const knob = knobs.find_key(key);
      if (knob == nullptr) fail(ErrorKind::data, key, "is not a setting of this codec");
      knob->read(value.string(), key, Origin::config);
    }
    complete(*coding, *plan, workers_);
    if (!probe(*coding, codec.item()).starts_with(stored.probe))
      fail(ErrorKind::data, "",
           "this machine (" + host_text() + ") does not compute the model as " +
               (stored.host.empty() ? "the encoder's" : stored.host) + " did",
           "the archive cannot be decoded here");
  } catch (const Error& error) {
    throw Error(ErrorKind::data, error.subject(), error.message(), error.hint(), error.where())
        .within("header");
  }
  return coding;
}

}  // namespace logpx::compress
