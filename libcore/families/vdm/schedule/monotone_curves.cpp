#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/vdm/schedule/noise_curve.hpp"

#include <cmath>

namespace logpx::vdm {
namespace {

double sign_of(double w) { return w < 0 ? -1 : 1; }

// sigmoid and its first two derivatives
struct Sigmoid {
  double value, first, second;
  explicit Sigmoid(double a) : value(det_sigmoid(a)) {
    first = value * (1 - value);
    second = first * (1 - 2 * value);
  }
};

// w2, b2, w3 of the hidden units, or a gradient of them
template <typename T>
struct Units {
  std::span<T> w2, b2, w3;
  explicit Units(std::span<T> all)
      : w2(all.first(all.size() / 3)),
        b2(all.subspan(w2.size(), w2.size())),
        w3(all.subspan(2 * w2.size())) {}
};

// What both networks hold: a few numbers before the units, and the units.
class Monotone : public NoiseCurve {
 public:
  Monotone(std::int64_t hidden, std::size_t before, std::span<const double> parameters)
      : before_(before), parameters_(parameters.begin(), parameters.end()) {
    LOGPX_ASSERT(hidden > 0 && parameters.size() == before + 3 * static_cast<std::size_t>(hidden));
  }

 protected:
  [[nodiscard]] double number(std::size_t i) const { return parameters_[i]; }
  [[nodiscard]] Units<const double> units() const {
    return Units<const double>(std::span(parameters_).subspan(before_));
  }
  [[nodiscard]] Units<double> units_of(std::span<double> gradient) const {
    return Units<double>(gradient.subspan(before_));
  }
  [[nodiscard]] Sigmoid unit(const Units<const double>& u, std::size_t j, double input) const {
    return Sigmoid(std::abs(u.w2[j]) * input + u.b2[j]);
  }

 private:
  std::size_t before_;
  std::vector<double> parameters_;
};

class Published final : public Monotone {
 public:
  Published(std::int64_t hidden, std::span<const double> parameters)
      : Monotone(hidden, 1, parameters) {}

  [[nodiscard]] CurvePoint at(double t) const override {
    const Units<const double> u = units();
    CurvePoint sum;
    for (std::size_t j = 0; j < u.w2.size(); ++j) {
      const Sigmoid s = unit(u, j, 2 * t - 1);
      sum.value += std::abs(u.w3[j]) * (2 * s.value - 1);
      sum.slope += std::abs(u.w3[j]) * 4 * std::abs(u.w2[j]) * s.first;
    }
    const auto count = static_cast<double>(u.w2.size());
    return {std::abs(number(0)) * t + sum.value / count, std::abs(number(0)) + sum.slope / count};
  }

  void add_gradient(double t, CurvePoint pull, std::span<double> gradient) const override {
    const Units<const double> u = units();
    const Units<double> to = units_of(gradient);
    const auto count = static_cast<double>(u.w2.size());
    const double input = 2 * t - 1;
    gradient[0] += sign_of(number(0)) * (pull.value * t + pull.slope);
    for (std::size_t j = 0; j < u.w2.size(); ++j) {
      const Sigmoid s = unit(u, j, input);
      const double w2 = std::abs(u.w2[j]), w3 = std::abs(u.w3[j]) / count;
      const double by_input = 2 * pull.value * s.first + 4 * pull.slope * w2 * s.second;
      to.w3[j] += sign_of(u.w3[j]) / count *
                  (pull.value * (2 * s.value - 1) + 4 * pull.slope * w2 * s.first);
      to.b2[j] += w3 * by_input;
      to.w2[j] += sign_of(u.w2[j]) * w3 * (by_input * input + 4 * pull.slope * s.first);
    }
  }
};

class AsInThePaper final : public Monotone {
 public:
  AsInThePaper(std::int64_t hidden, std::span<const double> parameters)
      : Monotone(hidden, 2, parameters) {}

  [[nodiscard]] CurvePoint at(double t) const override {
    const Units<const double> u = units();
    const double o = inner(t);
    CurvePoint sum = {o, 1};
    for (std::size_t j = 0; j < u.w2.size(); ++j) {
      const Sigmoid s = unit(u, j, o);
      sum.value += std::abs(u.w3[j]) * s.value;
      sum.slope += std::abs(u.w3[j]) * std::abs(u.w2[j]) * s.first;
    }
    return {sum.value, std::abs(number(0)) * sum.slope};
  }

  void add_gradient(double t, CurvePoint pull, std::span<double> gradient) const override {
    const Units<const double> u = units();
    const Units<double> to = units_of(gradient);
    const double o = inner(t), speed = std::abs(number(0));
    double slope = 1, bend = 0;  // dg/do and its derivative
    for (std::size_t j = 0; j < u.w2.size(); ++j) {
      const Sigmoid s = unit(u, j, o);
      const double w2 = std::abs(u.w2[j]), w3 = std::abs(u.w3[j]);
      const double by_input = pull.value * s.first + pull.slope * speed * w2 * s.second;
      slope += w3 * w2 * s.first;
      bend += w3 * w2 * w2 * s.second;
      to.w3[j] += sign_of(u.w3[j]) * (pull.value * s.value + pull.slope * speed * w2 * s.first);
      to.b2[j] += w3 * by_input;
      to.w2[j] += sign_of(u.w2[j]) * w3 * (by_input * o + pull.slope * speed * s.first);
    }
    const double by_o = pull.value * slope + pull.slope * speed * bend;
    gradient[0] += sign_of(number(0)) * (by_o * t + pull.slope * slope);
    gradient[1] += by_o;
  }

 private:
  [[nodiscard]] double inner(double t) const { return std::abs(number(0)) * t + number(1); }
};

}  // namespace

std::unique_ptr<const NoiseCurve> monotone_curve(std::int64_t hidden,
                                                 std::span<const double> parameters) {
  return std::make_unique<Published>(hidden, parameters);
}

std::unique_ptr<const NoiseCurve> monotone_paper_curve(std::int64_t hidden,
                                                       std::span<const double> parameters) {
  return std::make_unique<AsInThePaper>(hidden, parameters);
}

}  // namespace logpx::vdm
