// Samples of a model, made a stretch at a time in fixed blocks: what they are depends on neither
// threads nor how many are asked for at once.   [spec/vae.md section 8]
//
//   const auto maker = make_walk(model, manifold(latents.dims(), 20, {}));
//   for (begin = 0; begin < maker->items(); begin += maker->stretch())
//     chunk = maker->make(begin, end, workers);
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/eval/latent_walks.hpp"
#include "libcore/model/latents.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

// What belongs to each sample beside its row: "latent", "mean", "log_var".
struct SampleCode {
  std::string name;
  std::int64_t width = 0;
  std::vector<float> values = {};  // [count, width]
};
struct SampleChunk {
  Rows rows;
  std::vector<SampleCode> codes;
};
// The same codes of further samples, behind these.
void append_codes(std::vector<SampleCode>& codes, const std::vector<SampleCode>& next);

class SampleMaker {
 public:
  virtual ~SampleMaker() = default;
  // Of all rows, n included.
  [[nodiscard]] const DatasetInfo& info() const { return info_; }
  [[nodiscard]] std::int64_t grid_columns() const { return grid_columns_; }  // 0: any
  [[nodiscard]] bool gives_means() const { return gives_means_; }

  // One sample or a few that belong together.
  [[nodiscard]] std::int64_t items() const { return items_; }
  // Items that one call had better make: whole blocks.
  [[nodiscard]] std::int64_t stretch() const { return 16 * block_; }
  // Those of items begin..end-1; begin is a multiple of stretch().
  [[nodiscard]] virtual SampleChunk make(std::int64_t begin, std::int64_t end,
                                         Workers& workers) = 0;

 protected:
  SampleMaker(DatasetInfo info, std::int64_t items, std::int64_t block);
  // Joins what make_block(first, end) gives for the blocks of begin..end-1.
  using BlockMaker = std::function<SampleChunk(std::int64_t, std::int64_t)>;
  [[nodiscard]] SampleChunk join_blocks(std::int64_t begin, std::int64_t end, Workers& workers,
                                        const BlockMaker& make_block) const;

  DatasetInfo info_;
  std::int64_t items_, block_, grid_columns_ = 0;
  bool gives_means_ = false;
};

// Rows begin..end-1 of a dataset that the model can read.
struct DataPart {
  RowSource& data;
  std::int64_t begin = 0, end = 0;
};

enum class Decoding { draw, mean };
struct Ancestral {
  std::int64_t count = 64;
  Decoding decoding = Decoding::draw;
  double temperature = 1;  // z ~ N(0, temperature^2)
};
// z ~ p(z), x ~ p(x|z). A model without latents draws x, and has neither means nor temperature.
[[nodiscard]] std::unique_ptr<SampleMaker> make_ancestral(const Model& model, const Ancestral& what,
                                                          Rng rng);
// The mean of p(x|z) at every point.
[[nodiscard]] std::unique_ptr<SampleMaker> make_walk(const Model& model, LatentWalk walk);
// Of every row three: x as the model sees it, the mean of p(x|z) at the posterior mean, and a draw
// of p(x|z) at a draw of q(z|x). Their class is the role: input, mean, draw.
[[nodiscard]] std::unique_ptr<SampleMaker> make_reconstructions(const Model& model, DataPart part,
                                                                Rng rng);
// The posterior means as rows, with the labels of the data; their log-variances beside them.
[[nodiscard]] std::unique_ptr<SampleMaker> make_encodings(const Model& model, DataPart part);

// The posterior mean of one row.
[[nodiscard]] std::vector<float> encode_row(const ModelLatents& latents, RowSource& data,
                                            std::int64_t row);

}  // namespace logpx
