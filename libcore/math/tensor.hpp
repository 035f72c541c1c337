// Dense row-major arrays of up to 5 dimensions. A Tensor owns 64-byte aligned memory, padded to 64
// bytes; a View is a pointer and a shape. There are no strides: slices of the leading dimension and
// reshapes are views, everything else copies.   [math/README 2]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// While one lives, the tensors that this thread makes may take this many bytes in all; more is a
// data error. It is for models of unknown origin: a short config can ask for any size.
class TensorBudget {
 public:
  explicit TensorBudget(std::uint64_t bytes);
  ~TensorBudget();
  TensorBudget(const TensorBudget&) = delete;
  TensorBudget& operator=(const TensorBudget&) = delete;
  static void spend(std::size_t bytes);

 private:
  static thread_local TensorBudget* active_;
  std::uint64_t left_;
  TensorBudget* outer_;
};

class Shape {
 public:
  static constexpr int max_rank = 5;
  Shape() = default;  // a scalar
  Shape(std::initializer_list<std::int64_t> sizes);
  explicit Shape(std::span<const std::int64_t> sizes);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] std::int64_t operator[](int axis) const { return sizes_[at(axis)]; }
  std::int64_t& operator[](int axis) { return sizes_[at(axis)]; }
  [[nodiscard]] std::int64_t elements() const;  // a usage error when they cannot be counted
  [[nodiscard]] std::int64_t back() const { return rank_ == 0 ? 1 : (*this)[rank_ - 1]; }
  // Product of all sizes but the last: [8,64,256] seen as a matrix has 512 rows.
  [[nodiscard]] std::int64_t rows() const { return back() == 0 ? 0 : elements() / back(); }
  [[nodiscard]] std::string text() const;  // "[8,64,256]"
  [[nodiscard]] std::span<const std::int64_t> sizes() const {
    return std::span(sizes_).first(static_cast<std::size_t>(rank_));
  }
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }
  std::array<std::int64_t, max_rank> sizes_{};
  int rank_ = 0;
};

template <typename T>
struct View {
  T* data = nullptr;
  Shape shape;

  [[nodiscard]] std::int64_t size() const { return shape.elements(); }
  [[nodiscard]] std::span<T> span() const { return {data, static_cast<std::size_t>(size())}; }
  T& operator[](std::int64_t i) const { return data[i]; }
  operator View<const T>() const { return {data, shape}; }
};

// Zeroed 64-byte aligned memory; huge pages are advised above 64 MiB.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t bytes_ = 0;
};

// A usage error when they are more than can be counted.
[[nodiscard]] std::size_t bytes_of(const Shape& shape, std::size_t element);

// Zeroed at construction.
template <typename T>
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Shape shape) : shape_(shape), memory_(bytes_of(shape, sizeof(T))) {}
  Tensor(Shape shape, std::span<const T> values) : Tensor(shape) {
    for (std::size_t i = 0; i < values.size(); ++i) data()[i] = values[i];
  }
  Tensor(const Tensor& other) : Tensor(other.shape_, other.span()) {}
  Tensor& operator=(const Tensor& other) {
    if (this != &other) *this = Tensor(other);
    return *this;
  }
  Tensor(Tensor&&) noexcept = default;
  Tensor& operator=(Tensor&&) noexcept = default;

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t size() const { return shape_.elements(); }
  [[nodiscard]] T* data() { return reinterpret_cast<T*>(memory_.data()); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }
  [[nodiscard]] std::span<T> span() { return {data(), static_cast<std::size_t>(size())}; }
  [[nodiscard]] std::span<const T> span() const {
    return {data(), static_cast<std::size_t>(size())};
  }
  [[nodiscard]] View<T> view() { return {data(), shape_}; }
  [[nodiscard]] View<const T> view() const { return {data(), shape_}; }
  T& operator[](std::int64_t i) { return data()[i]; }
  const T& operator[](std::int64_t i) const { return data()[i]; }

 private:
  Shape shape_{0};  // an empty tensor has no elements; a scalar has one
  AlignedBytes memory_;
};

}  // namespace logpx
