// Sums over the taps and the channels of a picture: a convolution without a copy of what each pixel
// looks at. Compiled once per instruction set, with the same bits everywhere; like every header of
// per_isa sources it uses no standard header.
#pragma once

namespace logpx {

enum class Isa;

namespace det {

// Where the weights and the pixels of a tap begin.
struct PictureTap {
  long weights, pixels;
};

// C += sum over taps and, in each, over channels. Every element is one sum, both ascending; at the
// end + 0, so that -0 is 0.
template <typename T>
struct PictureSum {
  long rows, vectors;  // of C, in vectors of `vector_bytes`
  long taps, channels;
  const PictureTap* tap;
  const T*
      weights;  // (i, channel) of a tap at tap.weights + i * weight_row + channel * weight_step
  long weight_row, weight_step;
  const T* picture;  // (channel, j) of a tap at tap.pixels + channel * plane + place of j
  long plane;
  long run, run_step;  // place j / run * run_step + j % run; a run is whole vectors, or half of one
  T* c;                // element (i, j) at c[i * ldc + j]
  long ldc;
};

struct PictureKernels {
  long vector_bytes;
  void (*of_floats)(const PictureSum<float>& call);
  void (*of_doubles)(const PictureSum<double>& call);

  void operator()(const PictureSum<float>& call) const { of_floats(call); }
  void operator()(const PictureSum<double>& call) const { of_doubles(call); }
};

namespace baseline {
extern const PictureKernels picture_kernels;
}
namespace v3 {
extern const PictureKernels picture_kernels;
}
namespace v4 {
extern const PictureKernels picture_kernels;
}

[[nodiscard]] const PictureKernels& picture_kernels_of(Isa isa);
[[nodiscard]] const PictureKernels& active_picture_kernels();

}  // namespace det

}  // namespace logpx
