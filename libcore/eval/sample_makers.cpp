#include "libcore/eval/sample_makers.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/math/special.hpp"
#include "libcore/model/mean_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

constexpr double least_sine = 1e-9;  // below it an arc becomes a line

void require_latent(std::int64_t latent, std::int64_t dims, const char* option) {
  if (latent < 0 || latent >= dims)
    fail(ErrorKind::usage, option,
         "there is no latent " + std::to_string(latent) + "; this model has latents 0 to " +
             std::to_string(dims - 1));
}

// i = 0 .. points-1 to 0 .. 1, both ends exact.
double share(std::int64_t i, std::int64_t points) {
  return static_cast<double>(i) / static_cast<double>(points - 1);
}

}  // namespace

std::int64_t LatentWalk::count() const { return std::ssize(z) / dims; }

std::vector<double> quantile_axis(std::int64_t nodes) {
  std::vector<double> axis;
  for (std::int64_t i = 0; i < nodes; ++i)
    axis.push_back(normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(nodes)));
  return axis;
}

LatentWalk manifold(std::int64_t dims, std::int64_t nodes, LatentPlane plane) {
  require_latent(plane.right, dims, "--dims");
  require_latent(plane.up, dims, "--dims");
  if (plane.right == plane.up) fail(ErrorKind::usage, "--dims", "names one latent twice");
  const std::vector<double> axis = quantile_axis(nodes);
  LatentWalk walk{.dims = dims, .columns = nodes, .z = {}};
  walk.z.assign(at(nodes * nodes * dims), 0);
  for (std::int64_t r = 0; r < nodes; ++r)
    for (std::int64_t c = 0; c < nodes; ++c) {
      float* const z = walk.z.data() + (r * nodes + c) * dims;
      z[plane.right] = static_cast<float>(axis[at(c)]);
      z[plane.up] = static_cast<float>(axis[at(nodes - 1 - r)]);
    }
  return walk;
}

LatentWalk traversal(std::int64_t dims, std::span<const std::int64_t> axes, Stretch stretch,
                     std::int64_t points) {
  LatentWalk walk{.dims = dims, .columns = points, .z = {}};
  walk.z.assign(at(std::ssize(axes) * points * dims), 0);
  for (std::size_t row = 0; row < axes.size(); ++row) {
    require_latent(axes[row], dims, "--traverse");
    for (std::int64_t i = 0; i < points; ++i) {
      const double t = share(i, points);
      walk.z[(row * at(points) + at(i)) * at(dims) + at(axes[row])] =
          static_cast<float>((1 - t) * stretch.low + t * stretch.high);
    }
  }
  return walk;
}

std::vector<double> between(std::span<const double> a, std::span<const double> b, double t,
                            Path path) {
  double weight_a = 1 - t, weight_b = t;
  if (path == Path::arc) {
    double aa = 0, bb = 0, ab = 0;
    for (std::size_t d = 0; d < a.size(); ++d) {
      aa += a[d] * a[d];
      bb += b[d] * b[d];
      ab += a[d] * b[d];
    }
    const double lengths = std::sqrt(aa * bb);
    const double angle = lengths > 0 ? std::acos(std::clamp(ab / lengths, -1.0, 1.0)) : 0;
    if (const double sine = std::sin(angle); sine > least_sine) {
      weight_a = std::sin((1 - t) * angle) / sine;
      weight_b = std::sin(t * angle) / sine;
    }
  }
  std::vector<double> point;
  for (std::size_t d = 0; d < a.size(); ++d) point.push_back(weight_a * a[d] + weight_b * b[d]);
  return point;
}

LatentWalk interpolation(std::span<const float> a, std::span<const float> b, std::int64_t points,
                         Path path) {
  const std::vector<double> from(a.begin(), a.end()), to(b.begin(), b.end());
  LatentWalk walk{.dims = std::ssize(a), .columns = points, .z = {}};
  for (std::int64_t i = 0; i < points; ++i)
    for (const double value : between(from, to, share(i, points), path))
      walk.z.push_back(static_cast<float>(value));
  return walk;
}

namespace {

constexpr double sheet_aspect = 4.0 / 3;  // shape of a sheet of reconstructions

std::span<const float> rows_of(const std::vector<float>& z, std::int64_t width, std::int64_t begin,
                               std::int64_t end) {
  return std::span(z).subspan(at(begin * width), at((end - begin) * width));
}

class PlanMaker final : public SampleMaker {
 public:
  PlanMaker(const Model& model, std::unique_ptr<SamplingPlan> plan, std::int64_t items, Rng rng)
      : SampleMaker(plan->rows(), items, model.info().block), plan_(std::move(plan)), rng_(rng) {
    const std::int64_t frames = plan_->rows_per_item();
    info_.n = items * frames;
    if (frames > 1) grid_columns_ = frames;
    gives_means_ = plan_->gives_means();
  }

  SampleChunk make(std::int64_t begin, std::int64_t end, Workers& workers) override {
    return join_blocks(begin, end, workers, [this](std::int64_t first, std::int64_t last) {
      return plan_->make(first, last, rng_);
    });
  }
  // Threads take a block each.
  [[nodiscard]] double expected_seconds(const Workers& workers) const override {
    const std::int64_t blocks = (items_ + block_ - 1) / block_,
                       rounds = (blocks + workers.threads() - 1) / workers.threads();
    return plan_->block_seconds() * static_cast<double>(rounds);
  }

 private:
  std::unique_ptr<SamplingPlan> plan_;
  Rng rng_;
};

class WalkMaker final : public SampleMaker {
 public:
  WalkMaker(CodedModel model, LatentWalk walk)
      : SampleMaker(mean_info(model.info.samples), walk.count(), model.info.block),
        model_(std::move(model)),
        walk_(std::move(walk)) {
    info_.n = items_;
    grid_columns_ = walk_.columns;
    gives_means_ = true;
  }

  SampleChunk make(std::int64_t begin, std::int64_t end, Workers& workers) override {
    return join_blocks(begin, end, workers, [this](std::int64_t first, std::int64_t last) {
      const std::span<const float> z = rows_of(walk_.z, walk_.dims, first, last);
      SampleChunk chunk;
      append_means(model_.info.samples, model_.codes->mean(z), chunk.rows);
      chunk.codes = {SampleCode::of("latent", {walk_.dims}, z)};
      return chunk;
    });
  }

 private:
  CodedModel model_;
  LatentWalk walk_;
};

// Makes something of the rows of a dataset, block by block.
class DataMaker : public SampleMaker {
 public:
  SampleChunk make(std::int64_t begin, std::int64_t end, Workers& workers) override {
    const Rows held = part_.data.read(part_.begin + begin, part_.begin + end);
    return join_blocks(begin, end, workers, [&](std::int64_t first, std::int64_t last) {
      const Rows rows = slice_rows(held, first - begin, last - begin);
      return of_examples({part_.data.info(), rows, part_.begin + first});
    });
  }

 protected:
  DataMaker(DatasetInfo info, const ModelInfo& model, DataPart part)
      : SampleMaker(std::move(info), part.end - part.begin, model.block), part_(part) {}
  [[nodiscard]] virtual SampleChunk of_examples(const Examples& examples) const = 0;

  DataPart part_;
};

class ReconstructionMaker final : public DataMaker {
 public:
  ReconstructionMaker(const Abilities& can, DataPart part, Rng rng)
      : DataMaker(mean_info(can.info().samples), can.info(), part), can_(can), rng_(rng) {
    info_.n = 3 * items_;
    info_.has_labels = true;
    info_.label_names = {"input", "mean", "draw"};
    const double groups = std::sqrt(sheet_aspect * static_cast<double>(items_) / 3);
    grid_columns_ = 3 * std::max<std::int64_t>(1, std::llround(groups));
  }

 private:
  [[nodiscard]] SampleChunk of_examples(const Examples& examples) const override {
    const DatasetInfo& kind = can_.info().samples;
    const ModelLatents& latents = *can_.latents;
    const Posterior q = latents.encode(examples);
    const std::vector<float> drawn_z = draw_posterior(q, {.first_example = examples.first}, rng_).z;
    Rows draws;
    latents.sample(drawn_z, draws, examples.first, rng_);
    const std::vector<float> inputs = latents.observed(examples);
    const std::vector<float> means = latents.reconstruct(q.mean, examples),
                             drawn = stored_values(kind, draws);
    SampleChunk chunk;
    std::vector<float> codes;
    for (std::int64_t i = 0; i < q.count; ++i) {
      for (const std::vector<float>* x : {&inputs, &means, &drawn})
        append_means(kind, rows_of(*x, kind.dims(), i, i + 1), chunk.rows);
      chunk.rows.y.insert(chunk.rows.y.end(), {0, 1, 2});
      for (const std::vector<float>* z : {&q.mean, &q.mean, &drawn_z}) {
        const auto code = rows_of(*z, q.dims, i, i + 1);
        codes.insert(codes.end(), code.begin(), code.end());
      }
    }
    chunk.codes = {SampleCode::of<float>("latent", {q.dims}, codes)};
    return chunk;
  }

  Abilities can_;
  Rng rng_;
};

class EncodingMaker final : public DataMaker {
 public:
  EncodingMaker(CodedModel model, DataPart part)
      : DataMaker(real_vectors(model.codes->dims()), model.info, part),
        codes_(std::move(model.codes)) {
    info_.name = model.info.family + " codes of " + part.data.info().name;
    info_.n = items_;
    info_.has_labels = part.data.info().has_labels;
    info_.label_names = part.data.info().label_names;
  }

 private:
  [[nodiscard]] SampleChunk of_examples(const Examples& examples) const override {
    const Posterior q = codes_->encode(examples);
    SampleChunk chunk;
    chunk.rows.count = q.count;
    const auto bytes = std::as_bytes(std::span(q.mean));
    chunk.rows.x.assign(bytes.begin(), bytes.end());
    if (info_.has_labels) chunk.rows.y = examples.rows.y;
    chunk.codes = {SampleCode::of<float>("mean", {q.dims}, q.mean)};
    if (!q.log_var.empty())
      chunk.codes.push_back(SampleCode::of<float>("log_var", {q.dims}, q.log_var));
    return chunk;
  }

  std::shared_ptr<const RowCodes> codes_;
};

}  // namespace

SampleMaker::SampleMaker(DatasetInfo info, std::int64_t items, std::int64_t block)
    : info_(std::move(info)), items_(items), block_(block) {}

SampleChunk SampleMaker::join_blocks(std::int64_t begin, std::int64_t end, Workers& workers,
                                     const BlockMaker& make_block) const {
  const std::int64_t blocks = (end - begin + block_ - 1) / block_;
  std::vector<SampleChunk> parts(at(blocks));
  workers.run(blocks, [&](std::int64_t b) {
    const std::int64_t first = begin + b * block_;
    parts[at(b)] = make_block(first, std::min(first + block_, end));
  });
  SampleChunk chunk;
  for (const SampleChunk& part : parts) {
    chunk.rows.count += part.rows.count;
    chunk.rows.x.insert(chunk.rows.x.end(), part.rows.x.begin(), part.rows.x.end());
    chunk.rows.y.insert(chunk.rows.y.end(), part.rows.y.begin(), part.rows.y.end());
    chunk.rows.length.insert(chunk.rows.length.end(), part.rows.length.begin(),
                             part.rows.length.end());
    append_codes(chunk.codes, part.codes);
  }
  return chunk;
}

std::unique_ptr<SampleMaker> make_samples(const Model& model, std::unique_ptr<SamplingPlan> plan,
                                          std::int64_t items, Rng rng) {
  return std::make_unique<PlanMaker>(model, std::move(plan), items, rng);
}

std::unique_ptr<SampleMaker> make_walk(CodedModel model, LatentWalk walk) {
  return std::make_unique<WalkMaker>(std::move(model), std::move(walk));
}

std::unique_ptr<SampleMaker> make_reconstructions(const Abilities& can, DataPart part, Rng rng) {
  return std::make_unique<ReconstructionMaker>(can, part, rng);
}

std::unique_ptr<SampleMaker> make_encodings(CodedModel model, DataPart part) {
  return std::make_unique<EncodingMaker>(std::move(model), part);
}

std::vector<float> encode_row(const RowCodes& codes, RowSource& data, std::int64_t row) {
  const Rows rows = data.read(row, row + 1);
  return codes.encode({data.info(), rows, row}).mean;
}

}  // namespace logpx
