#include "libcore/model/row_codes.hpp"

#include <utility>

namespace logpx {
namespace {

class LatentCodes final : public RowCodes {
 public:
  explicit LatentCodes(std::shared_ptr<const ModelLatents> latents)
      : latents_(std::move(latents)) {}
  [[nodiscard]] std::int64_t dims() const override { return latents_->dims(); }
  [[nodiscard]] Posterior encode(const Examples& examples) const override {
    return latents_->encode(examples);
  }
  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const override {
    return latents_->mean(z);
  }

 private:
  std::shared_ptr<const ModelLatents> latents_;
};

}  // namespace

std::unique_ptr<RowCodes> codes_by(std::shared_ptr<const ModelLatents> latents) {
  return std::make_unique<LatentCodes>(std::move(latents));
}

}  // namespace logpx
