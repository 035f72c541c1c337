#include "tests/support/vae_golden.hpp"

namespace logpx::golden_vae {

using golden_layer::Values;

std::map<std::string, Values> parameters_of(const Json& params, const Decoding& decoding) {
  std::map<std::string, Values> named;
  const std::pair<const char*, const char*> names[] = {
      {"We", "encoder/hidden0/w"}, {"be", "encoder/hidden0/b"}, {"Wm", "encoder/mean/w"},
      {"bm", "encoder/mean/b"},    {"Wv", "encoder/log_var/w"}, {"bv", "encoder/log_var/b"},
      {"Wd", "decoder/hidden0/w"}, {"bd", "decoder/hidden0/b"}};
  for (const auto& [theirs, ours] : names)
    if (params.find(theirs) != nullptr) named[ours] = golden_layer::tensor(params.at(theirs));
  if (params.find("Wo") == nullptr) return named;
  const Values w = golden_layer::tensor(params.at("Wo")), b = golden_layer::tensor(params.at("bo"));
  const std::int64_t hidden = w.shape[0], all = w.shape[1];
  const std::int64_t dims = all / std::ssize(decoding.heads);
  for (std::int64_t h = 0; h < std::ssize(decoding.heads); ++h) {
    const std::string path = "decoder/" + decoding.heads[static_cast<std::size_t>(h)];
    Values head_w{{hidden, dims}, {}}, head_b{{dims}, {}};
    for (std::int64_t r = 0; r < hidden; ++r)
      for (std::int64_t c = 0; c < dims; ++c)
        head_w.data.push_back(w.data[static_cast<std::size_t>(r * all + h * dims + c)]);
    for (std::int64_t c = 0; c < dims; ++c)
      head_b.data.push_back(b.data[static_cast<std::size_t>(h * dims + c)]);
    named[path + "/w"] = head_w;
    named[path + "/b"] = head_b;
  }
  return named;
}

vae::Config config_of(const Json& params, const Decoding& decoding) {
  vae::Config config;
  config.likelihood = decoding.likelihood;
  config.latent = golden_layer::tensor(params.at("bm")).shape[0];
  config.hidden = {golden_layer::tensor(params.at("be")).shape[0]};
  config.smooth_limits = false;
  return config;
}

}  // namespace logpx::golden_vae
