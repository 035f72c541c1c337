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

std::shared_ptr<const RowCodes> codes_of(const Abilities& can) {
  if (can.latents) return std::make_shared<LatentCodes>(can.latents);
  if (!can.sample) return nullptr;
  return std::dynamic_pointer_cast<const RowCodes>(std::shared_ptr<SamplingPlan>(can.sample()));
}

}  // namespace logpx
