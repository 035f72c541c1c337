// g(t) of a noise schedule, t in [0,1], before it is scaled to its endpoints. It rises strictly.
// Double precision throughout, by libcore/det: a coder needs the same bits everywhere.
// [vdm/README 4.1]
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::vdm {

// A function of t and its derivative there: g and g', gamma and gamma', or the gradients of a loss
// with respect to the two.
struct CurvePoint {
  double value = 0, slope = 0;
};

class NoiseCurve {
 public:
  virtual ~NoiseCurve() = default;
  [[nodiscard]] virtual CurvePoint at(double t) const = 0;
  // t of g(t) = value for a value between g(0) and g(1); by bisection where no formula gives it.
  [[nodiscard]] virtual double time_of(double value) const;
  // Adds pull.value dg/dp + pull.slope dg'/dp for every parameter p, in the order of make_curve.
  virtual void add_gradient(double t, CurvePoint pull, std::span<double> gradient) const;
};

enum class CurveKind {
  linear,
  learned_linear,  // the same curve; its endpoints are learned as b and b + |w|
  beta_linear,
  alpha_cosine,
  monotone,
  monotone_paper,
  table,
};

// Straight between these points; t rises from 0 to 1, g rises.
struct CurveTable {
  std::vector<double> t, g;
  // A data error that names `subject` unless t and g rise so.
  void check(const std::string& subject) const;
};

struct CurveForm {
  CurveKind kind = CurveKind::linear;
  std::int64_t hidden = 1024;  // units of the monotone networks
  CurveTable table = {};
};

struct CurveTensor {
  std::string name;
  std::int64_t size = 0;  // 0: a single number
};
// The parameters of a curve, one tensor after the other: w1, w2, b2, w3 of monotone, with b1 after
// w1 of monotone_paper.
[[nodiscard]] std::vector<CurveTensor> curve_tensors(const CurveForm& form);

[[nodiscard]] std::unique_ptr<const NoiseCurve> make_curve(const CurveForm& form,
                                                           std::span<const double> parameters);

// The curves that --schedule names.   [vdm/README 4.1]
[[nodiscard]] std::unique_ptr<const NoiseCurve> linear_curve();  // t
// log expm1(1e-4 + 10 t^2): DDPM's betas from 1e-4 to 0.02 in 1000 steps, in closed form
[[nodiscard]] std::unique_ptr<const NoiseCurve> beta_linear_curve();
// 2 log tan(u), u = (pi/2) (0.999 t + 0.008) / 1.008   [Nichol, Dhariwal 2021]
[[nodiscard]] std::unique_ptr<const NoiseCurve> alpha_cosine_curve();
[[nodiscard]] std::unique_ptr<const NoiseCurve> table_curve(const CurveTable& table);

// |w1| t + (1/H) sum_j |w3_j| (2 s_j - 1),  s_j = sigmoid(|w2_j| (2t - 1) + b2_j)
// Deviation: the b2 start at N(0, 1), since with zeros all units are alike.
[[nodiscard]] std::unique_ptr<const NoiseCurve> monotone_curve(std::int64_t hidden,
                                                               std::span<const double> parameters);
// o + sum_j |w3_j| sigmoid(|w2_j| o + b2_j),  o = |w1| t + b1   [VDM appendix H]
[[nodiscard]] std::unique_ptr<const NoiseCurve> monotone_paper_curve(
    std::int64_t hidden, std::span<const double> parameters);

}  // namespace logpx::vdm
