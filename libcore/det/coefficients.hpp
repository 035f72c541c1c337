// The numbers of the elementary functions: one copy for the functions and the array kernels. Uses
// no standard header (libcore/det/array_kernels.hpp says why).   [det/README 5]
#pragma once

namespace logpx::det {

// Adding and subtracting it rounds to the nearest integer, ties to even.
constexpr double magic = 0x1.8p52;
constexpr double log2_e = 0x1.71547652b82fep+0;
constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
constexpr double exp_lowest = -708.0, exp_highest = 709.0;
constexpr double sqrt2 = 0x1.6a09e667f3bcdp+0;

// For Horner's rule in t: at[0] + at[1] t + ...
template <int N>
struct Coefficients {
  double at[N];
};

// 1/0!, 1/1!, ... 1/13!; the factorials are exact.
constexpr Coefficients<14> exp_coefficients = [] {
  Coefficients<14> c{};
  double factorial = 1;
  for (int j = 0; j < 14; ++j) {
    if (j > 0) factorial *= static_cast<double>(j);
    c.at[j] = 1.0 / factorial;
  }
  return c;
}();

// 1/3, 1/5, ... 1/21: for atanh(s)/s - 1, less one factor s^2.
constexpr Coefficients<10> log_coefficients = [] {
  Coefficients<10> c{};
  for (int j = 0; j < 10; ++j) c.at[j] = 1.0 / static_cast<double>(2 * j + 3);
  return c;
}();

// (1 + 2a) exp(a^2/2) Phi(-a) as a polynomial in (a-4)/(a+4).
constexpr Coefficients<23> ndtr_coefficients = {
    {0x1.b30b52fe27787p-1,  -0x1.78fbb7ec2d83dp-6,  -0x1.8ac5bd763623ap-4,  0x1.0800fd0f637f8p-3,
     -0x1.862fda1bf69a6p-4, 0x1.6b6ea91221acdp-5,   -0x1.5877b9ae17d77p-7,  -0x1.3d35c1e3455edp-10,
     0x1.9d65398602286p-10, -0x1.2c887c879b8c5p-13, -0x1.ac8f97b081090p-13, 0x1.3da7e771f238cp-15,
     0x1.08b040f57c2eep-15, -0x1.94d69b7cf2806p-18, -0x1.8a5e28fa6f70ap-18, 0x1.422bc8b698c6fp-21,
     0x1.3c8cf71155bcfp-20, 0x1.dede55837a7dcp-25,  -0x1.c45cc4db4cdf9p-23, -0x1.96fb93f28a134p-25,
     0x1.7e9b75d7f1d78p-26, 0x1.4bfeaefaa6717p-27,  0x1.3d05dc3f856c2p-31}};

}  // namespace logpx::det
