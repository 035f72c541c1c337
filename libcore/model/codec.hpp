// Models that code losslessly: what bits-back-encode and bits-back-decode ask for, and
// elbo-eval --det. An ability: a family says what an item is and which schemes it knows;
// the schemes are those of libcore/codec, over conditionals computed by libcore/det alone.
// [codec/README 7]
//
//   const std::unique_ptr<CodingPlan> plan = can.code->plan();
//   plan->describe(fields);          fields.set("latent_bits=auto", Origin::option);
//   plan->settle(sample, workers);   // encoder only: whatever was left to be chosen
//   const auto scheme = plan->scheme(workers);
#pragma once

#include "libcore/codec/bits_back.hpp"
#include "libcore/codec/item_set.hpp"
#include "libcore/codec/scheme.hpp"
#include "libcore/model/estimate.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class Fields;
class Likelihood;

// What is coded at a time. A raster [height, width, channels], or a run of symbols of text or
// bytes: [1, length, 1].
struct CodedItem {
  enum class Kind { raster, run };
  Kind kind = Kind::raster;
  std::int64_t height = 1, width = 1, channels = 1;
  std::int64_t levels = 256;  // symbols are 0 .. levels - 1
  std::string alphabet = {};  // for a run of text: the byte of each symbol; empty for bytes
  bool short_last = false;    // for a run: the last one of a block may be shorter
  [[nodiscard]] std::int64_t size() const { return height * width * channels; }
};

// A row of such data: images are rasters, text and bytes are runs.
[[nodiscard]] CodedItem item_of(const DatasetInfo& data);

// One way of coding by one model: its knobs, which an archive keeps, and what they make.
class CodingPlan {
 public:
  virtual ~CodingPlan() = default;
  // Every knob that a decoder must know, under the names of the options; others are refused.
  virtual void describe(Fields& fields) = 0;
  // Chooses what was left open (`auto`, `best`) by coding some items [n, item size]; without items,
  // takes what usually works.
  virtual void settle(std::span<const std::uint8_t> /*sample*/, Workers&) {}
  // Checks the knobs (an archive is hostile) and builds; the scheme looks into model and codec.
  [[nodiscard]] virtual std::unique_ptr<codec::Scheme> scheme(Workers& workers) const = 0;
  // A usage error where the score of a row would depend on rows before it: such a plan can make
  // archives but not score rows.
  virtual void require_own_scores() const {}
  // What kind of number the scheme's score() is: log p(x), or a bound of it.
  [[nodiscard]] virtual Bound kind() const = 0;
  // What a user should know of settled knobs before files are coded with them.
  [[nodiscard]] virtual std::vector<std::string> doubts() const { return {}; }
};

class ModelCodec {
 public:
  explicit ModelCodec(CodedItem item) : item_(std::move(item)) {}
  virtual ~ModelCodec() = default;
  [[nodiscard]] const CodedItem& item() const { return item_; }
  [[nodiscard]] virtual std::unique_ptr<CodingPlan> plan() const = 0;
  // Rows of a dataset as the model reads them, as items [n, item size]: here as they are stored; a
  // model that binarises does so. Where items may be shorter, rows of another width are cut after
  // their ends or filled up with zeros. A data error for values that the model does not know, and
  // for a row longer than an item.
  [[nodiscard]] virtual std::vector<std::uint8_t> items(const Examples& examples) const;
  // Labels that items of a set lose; null if none. A usage error if the model tells them apart.
  [[nodiscard]] virtual std::unique_ptr<const codec::ItemLabels> labels() const { return nullptr; }

 protected:
  CodedItem item_;  // for constructors to change
};

// The byte of each letter of a dataset's alphabet; empty if a letter takes several bytes.
[[nodiscard]] std::string byte_alphabet(const DatasetInfo& data);

// SHA-256 in hex of the message of one fixed item, symbol j = (5j + 3) mod levels, coded alone:
// machines that compute a model differently show it here first.   [logpx-archive(5)]
[[nodiscard]] std::string probe_of(const codec::Scheme& scheme, const CodedItem& item, int lanes);

// ln p(x) of items by the coder's numbers, for elbo-eval --det. `first` is the number of the first
// item in its dataset.
[[nodiscard]] std::vector<double> coder_scores(const codec::Scheme& scheme,
                                               std::span<const std::uint8_t> items,
                                               std::uint32_t first, Rng rng, Workers& workers);
// The same for rows of a dataset, each up to its end where the codec's items may be shorter.
[[nodiscard]] std::vector<double> coder_scores(const codec::Scheme& scheme, const ModelCodec& codec,
                                               const Examples& examples, Rng rng, Workers& workers);

// A data error if values of this likelihood are not bytes; the hint is for real numbers.
void require_codable(const Likelihood& likelihood, const std::string& hint);

// A scheme without knobs that codes as many bits as log p(x) says.
class ExactPlan final : public CodingPlan {
 public:
  using Make = std::function<std::unique_ptr<codec::Scheme>()>;
  explicit ExactPlan(Make make) : make_(std::move(make)) {}
  void describe(Fields&) override {}
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers&) const override { return make_(); }
  [[nodiscard]] Bound kind() const override { return Bound::exact; }

 private:
  Make make_;
};

// For items whose values each have a distribution that is known before any value is.
[[nodiscard]] std::unique_ptr<CodingPlan> direct_plan(
    const CodedItem& item, std::function<std::unique_ptr<codec::SymbolVector>()> values);

struct BitsBackKnobs {
  std::string latent_bits = "12";
  std::int64_t particles = 1;
  void describe(Fields& fields);
};
// BB-ANS for any LatentCoding, in the bins of its prior: latent bits and particles.
class BitsBackPlan final : public CodingPlan {
 public:
  using MakeCoding = std::function<std::shared_ptr<const codec::LatentCoding>(Workers& workers)>;
  // It must outlive the schemes.
  explicit BitsBackPlan(const codec::LatentCoding& coding);
  // Made when it is first asked for; the schemes keep it.
  explicit BitsBackPlan(MakeCoding make) : make_(std::move(make)) {}
  void describe(Fields& fields) override { knobs_.describe(fields); }
  // The fewest of 8, 10, 12, 14 and 16 latent bits within 0.1 % of the shortest code.
  void settle(std::span<const std::uint8_t> sample, Workers& workers) override;
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers& workers) const override;
  [[nodiscard]] Bound kind() const override { return Bound::stochastic_lower_bound; }

 private:
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme_of(int bits, Workers& workers) const;

  MakeCoding make_;
  mutable std::shared_ptr<const codec::LatentCoding> coding_;
  BitsBackKnobs knobs_;
};

}  // namespace logpx
