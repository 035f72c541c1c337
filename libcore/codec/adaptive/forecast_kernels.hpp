// Sums of doubles that forecasts are made of, compiled once per instruction set. A decoder repeats
// them: they use + - * / alone, in four lanes whose order is fixed, so that every variant gives the
// same bits. Like every header of per_isa sources it uses no standard header.
#pragma once

namespace logpx::codec::adaptive {

// What a least-squares fit of n weights knows: running means of x x^T, of which the upper triangle
// [n, n] is kept, and of y x.
struct FitMoments {
  double* squares;
  double* products;
};

// n is a multiple of 4, at most `most_taps` where a system is solved.
constexpr long most_taps = 32;

struct ForecastKernels {
  double (*dot)(const double* a, const double* b, long n);
  // w <- w + scale x
  void (*add_scaled)(double* w, const double* x, double scale, long n);
  // Both moments: m <- keep m + (1 - keep) (x, y)
  void (*follow)(FitMoments moments, const double* x, double y, double keep, long n);
  // w <- (squares + ridge I)^-1 products by L D L^T; w stays where that has no solution.
  void (*solve)(FitMoments moments, double ridge, double* w, long n);
};

namespace baseline {
extern const ForecastKernels forecast_kernels;
}
namespace v3 {
extern const ForecastKernels forecast_kernels;
}
namespace v4 {
extern const ForecastKernels forecast_kernels;
}

[[nodiscard]] const ForecastKernels& active_forecast_kernels();

}  // namespace logpx::codec::adaptive
