// logpx as a library: a model as its file holds it, log p of rows, draws, and files coded without
// loss. What is in this namespace stays as it is; what has to change comes in the next one.
// [logpx(3)]
//
//   const v0::Model model("digits.pc.h5");
//   const v0::Scores scores = model.score(v0::Rows("digits.h5:test"));
//   const v0::Rows draws = model.draw(10, {.seed = 3});
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace logpx::v0 {

// Every function of this header may throw one; what() is what a tool would print.
enum class Trouble { usage, data, numeric, io, refused };
class Failure final : public std::runtime_error {
 public:
  Failure(Trouble trouble, const std::string& what, std::string hint);
  [[nodiscard]] Trouble trouble() const { return trouble_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }  // what to do, or empty

 private:
  Trouble trouble_;
  std::string hint_;
};

// Rows in memory, all of one shape, as a dataset holds them. Copies share them.
class Rows {
 public:
  explicit Rows(const std::string& dataset);  // "digits.h5", "digits.h5:test"
  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] std::vector<std::int64_t> shape() const;  // of one row
  // [count, shape]; a missing value is not a number.
  [[nodiscard]] std::vector<float> values() const;

 private:
  friend class Model;
  struct Inside;
  explicit Rows(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}
  std::shared_ptr<const Inside> inside_;
};

struct Scores {
  std::vector<double> nats;  // log p of each row
  // What these numbers are of log p: "exact", "lower_bound", "stochastic_lower_bound", "estimate"
  // or "surrogate".
  std::string kind;
};
// As the options of elbo-eval and sample-model have them: "samples=10".
struct Settings {
  std::string method = "auto";  // of scoring
  std::vector<std::string> knobs = {};
  std::uint64_t seed = 1;
};

using Bytes = std::vector<std::byte>;
// A decoder refuses to make more.
inline constexpr std::uint64_t usual_limit = std::uint64_t{4} << 30;

// A trained model. One thread at a time may use it; inside it uses as many as LOGPX_THREADS says.
class Model {
 public:
  explicit Model(const std::string& file);
  ~Model();
  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;

  [[nodiscard]] std::string family() const;               // "pc"
  [[nodiscard]] std::vector<std::int64_t> shape() const;  // of the rows that it reads
  // So many values as rows that it can read; data trouble where it cannot.
  [[nodiscard]] Rows rows(std::span<const float> values) const;

  [[nodiscard]] Scores score(const Rows& rows, const Settings& settings = {}) const;
  [[nodiscard]] Rows draw(std::int64_t count, const Settings& settings = {}) const;

  // One file as an archive, and back. What the model does not fit is coded without it.
  [[nodiscard]] Bytes encode(std::span<const std::byte> file) const;
  [[nodiscard]] Bytes decode(std::span<const std::byte> archive,
                             std::uint64_t limit = usual_limit) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// The same without a model.
[[nodiscard]] Bytes encode(std::span<const std::byte> file);
[[nodiscard]] Bytes decode(std::span<const std::byte> archive, std::uint64_t limit = usual_limit);

}  // namespace logpx::v0
