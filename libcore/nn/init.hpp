// How tensors start: drawn from stream init, whose sub is the running number of the tensor.
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// Numbers that go into and come out of one unit: the variance of a random weight follows from them.
struct Fans {
  std::int64_t in = 1, out = 1;
};

struct Init {
  enum class Rule {
    constant,
    normal,          // mean 0, standard deviation `value`
    glorot_uniform,  // variance 2 / (in + out)
    glorot_normal,
    he_uniform,  // variance 2 / in
    he_normal,
    lecun_normal,  // variance 1 / in
  };
  Rule rule = Rule::constant;
  double value = 0;

  static constexpr Init zeros() { return {}; }
  static constexpr Init constant(double value) { return {Rule::constant, value}; }
  static constexpr Init normal(double deviation) { return {Rule::normal, deviation}; }
};

// Element e from uniform or normal e of the substream; normals by libcore/det/draws.
void fill(std::span<float> tensor, const Init& init, const Fans& fans, const Substream& stream);

// A rule of another kind: fills a tensor from its substream.
using Filling = std::function<void(std::span<float> tensor, const Substream& stream)>;

// What each tensor of a ParamSet starts from.
class Initialisers {
 public:
  void add(int tensor, Init init, Fans fans);
  void add(int tensor, Filling filling) { list_.push_back({tensor, std::move(filling)}); }
  void run(ParamSet& params, const Rng& rng) const;

 private:
  struct Entry {
    int tensor;
    Filling filling;
  };
  std::vector<Entry> list_;
};

}  // namespace logpx
