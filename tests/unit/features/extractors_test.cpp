// Each extractor against a computation of its definition.
#include "libcore/features/kinds.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/math/principal_axes.hpp"
#include "tests/support/latent_models.hpp"
#include "tests/support/picture_rows.hpp"
#include "tests/support/plain_maps.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace logpx::extractors_test {

using namespace logpx::testing;

namespace {

struct Extracted {
  std::vector<float> features, logits;
};

Extracted extracted(const Extractor& extractor, const HeldRows& held, std::int64_t first = 0,
                    std::int64_t count = -1) {
  const Rows rows = slice_rows(held.rows, first, count < 0 ? held.rows.count : first + count);
  Extracted out;
  out.features.resize(at(rows.count * extractor.info().width));
  out.logits.resize(at(rows.count * extractor.info().classes));
  extractor.extract({held.info, rows, first}, {out.features, out.logits});
  return out;
}

std::unique_ptr<Extractor> made(const std::string& words, const DatasetInfo& data) {
  return make_extractor(parse_extractor(words), {.data = data});
}

// One picture as maps of values between 0 and 1.
PlainMaps unit_picture(const HeldRows& held, std::int64_t row) {
  const auto& shape = held.info.shape;
  PlainMaps maps{.channels = shape[2], .height = shape[0], .width = shape[1]};
  const auto x =
      held.rows.values<std::uint8_t>().subspan(at(row * held.info.dims()), at(held.info.dims()));
  for (std::int64_t c = 0; c < shape[2]; ++c)
    for (std::int64_t p = 0; p < shape[0] * shape[1]; ++p)
      maps.values.push_back(x[at(p * shape[2] + c)] / 255.0);
  return maps;
}

std::span<const float> tensor_of(const std::vector<TensorRef>& tensors, const std::string& name) {
  const auto found = std::ranges::find(tensors, name, &TensorRef::name);
  REQUIRE(found != tensors.end());
  return {reinterpret_cast<const float*>(found->bytes.data()), found->bytes.size() / sizeof(float)};
}

std::string trouble(const std::string& words) {
  try {
    (void)parse_extractor(words);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message();
  }
  return "";
}

void check_close(std::span<const float> got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  double scale = 0;
  for (const double value : expected) scale = std::max(scale, std::fabs(value));
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(std::fabs(static_cast<double>(got[i]) - expected[i]) <= 2e-5 * scale);
}

// Two classes that a glance tells apart: dark above or below.
HeldRows halves(std::int64_t count) {
  HeldRows held = random_pictures(count, {8, 8, 1}, 3);
  held.info.has_labels = true;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int32_t>(i * 7 % 5 % 2);
    held.rows.y.push_back(label);
    for (std::size_t p = 0; p < 32; ++p)
      held.rows.x[at(i) * 64 + (label == 0 ? p : 32 + p)] = std::byte{0};
  }
  return held;
}

}  // namespace

TEST_CASE("extractors: words say which one, and those that say none are refused") {
  const ExtractorWords words = parse_extractor("random-conv:7:64");
  CHECK(std::string(words.kind->name) == "random-conv");
  CHECK(words.numbers == std::vector<std::int64_t>{7, 64});
  CHECK(parse_extractor("model:a:b.h5").file == "a:b.h5");
  CHECK(trouble("pixel").starts_with("there is no 'pixel', only pixels, pca:K, "));
  CHECK(trouble("pca") == "'pca' is not written as pca:K");
  CHECK(trouble("pca:0") == "'pca:0' is not written as pca:K");
  CHECK(trouble("pca:3:4") == "'pca:3:4' is not written as pca:K");
  CHECK(trouble("random-conv:-1:4") == "'random-conv:-1:4' is not written as random-conv:SEED:D");
  CHECK(trouble("pixels:3") == "'pixels:3' is not written as pixels");
  CHECK(trouble("model:") == "'model:' is not written as model:FILE");
  CHECK(trouble("pca:100000") == "has 100000 features, at most 65536");
}

TEST_CASE("extractors: pixels are the values scaled to [0, 1], channel after channel") {
  const HeldRows held = random_pictures(3, {2, 3, 3});
  const auto got = extracted(*made("pixels", held.info), held).features;
  for (std::int64_t row = 0; row < 3; ++row)
    check_close(std::span(got).subspan(at(row * 18), 18), unit_picture(held, row).values);
  HeldRows real = held;
  real.info.element = Element::f32;
  real.info.levels = 0;
  real.info.content = Content::vector;
  real.info.shape = {2};
  real.info.value_min = -1;
  real.info.value_max = 3;
  real.rows.count = 1;
  const std::vector<float> x = {0, 3};
  real.rows.x.assign(std::as_bytes(std::span(x)).begin(), std::as_bytes(std::span(x)).end());
  CHECK(extracted(*made("pixels", real.info), real).features == std::vector<float>{0.25F, 1});
}

TEST_CASE("extractors: grey pictures have three equal channels where three are wanted") {
  const HeldRows held = random_pictures(2, {3, 2, 1});
  DatasetInfo colour = held.info;
  colour.shape = {3, 2, 3};
  const auto grey = extracted(*made("pixels", held.info), held).features;
  const auto wide = extracted(*made("pixels", colour), held).features;
  REQUIRE(wide.size() == 3 * grey.size());
  for (std::size_t i = 0; i < wide.size(); ++i) CHECK(wide[i] == grey[i / 18 * 6 + i % 6]);
}

TEST_CASE("extractors: pca gives the scores on the principal axes of the rows it was fitted on") {
  for (const std::int64_t rows : {40, 9}) {  // more than dimensions, and fewer
    const HeldRows held = random_pictures(rows, {3, 4, 1});
    Workers workers(2);
    const auto extractor = made("pca:5", held.info);
    RowPieces pieces(held, 7);
    const FitReport report = extractor->fit(pieces, {Rng(1), workers});
    std::vector<double> x;
    for (std::int64_t i = 0; i < rows; ++i)
      for (const double value : unit_picture(held, i).values) x.push_back(value);
    const PrincipalAxes axes = principal_axes(x, {rows, 12}, 5);
    check_close(extracted(*extractor, held).features, axes.scores(x));
    const PrincipalAxes all = principal_axes(x, {rows, 12}, std::min<std::int64_t>(rows - 1, 12));
    double some = 0, total = 0;
    for (const double variance : axes.variances) some += variance;
    for (const double variance : all.variances) total += variance;
    CHECK(report.facts.at(0).second == doctest::Approx(some / total));
  }
}

TEST_CASE("extractors: pca refuses more axes than there are") {
  const HeldRows held = random_pictures(4, {3, 4, 1});
  Workers workers(1);
  RowPieces pieces(held, 4);
  CHECK_THROWS_WITH_AS(
      (void)made("pca:4", held.info)->fit(pieces, {Rng(1), workers}),
      "pictures: 4 rows of 12 numbers have at most 3 principal axes, and --extractor is pca:4",
      Error);
}

TEST_CASE("extractors: a basis that was kept gives the same features to the bit") {
  const HeldRows held = halves(60);
  Workers workers(2);
  for (const char* words : {"pca:6", "classifier:5"}) {
    const auto first = made(words, held.info);
    RowPieces pieces(held, 16);
    (void)first->fit(pieces, {Rng(2), workers});
    const auto again =
        make_extractor(parse_extractor(words), {.data = held.info, .tensors = first->tensors()});
    CHECK(extracted(*again, held).features == extracted(*first, held).features);
    CHECK(extracted(*again, held).logits == extracted(*first, held).logits);
    CHECK(again->info().classes == first->info().classes);
  }
}

TEST_CASE("extractors: a basis with a tensor that does not fit is a data error that names it") {
  const HeldRows held = halves(60);
  Workers workers(1);
  const auto fitted = made("classifier:5", held.info);
  RowPieces pieces(held, 60);
  (void)fitted->fit(pieces, {Rng(2), workers});
  const auto with = [&](std::vector<TensorRef> tensors) {
    return make_extractor(parse_extractor("classifier:5"),
                          {.data = held.info, .tensors = std::move(tensors)});
  };
  std::vector<TensorRef> tensors = fitted->tensors();
  tensors.pop_back();
  CHECK_THROWS_WITH((void)with(tensors), doctest::Contains("classes/b"));
  tensors = fitted->tensors();
  tensors[0].shape = {32, 9, 1, 1};
  CHECK_THROWS_WITH((void)with(tensors), doctest::Contains("conv1/w"));
  std::vector<float> nothing(1, std::numeric_limits<float>::quiet_NaN());
  CHECK_THROWS_AS((void)with({TensorRef::of<float>("classes/b", nothing, {1})}), Error);
}

TEST_CASE("extractors: random-conv is three convolutions, moments over space and a projection") {
  const HeldRows held = random_pictures(3, {9, 7, 2});
  const auto got = extracted(*made("random-conv:4:6", held.info), held).features;
  // N(0, 2 / fan_in) from the counters of stream `features`, tensor after tensor.
  const auto drawn = [](std::uint32_t tensor, std::int64_t count, std::int64_t fan_in) {
    std::vector<float> values(at(count));
    for (std::size_t e = 0; e < values.size(); ++e)
      values[e] = static_cast<float>(normal_at(Rng(4).stream(Stream::features, tensor), e) *
                                     std::sqrt(2.0 / static_cast<double>(fan_in)));
    return values;
  };
  std::vector<double> expected;
  for (std::int64_t row = 0; row < 3; ++row) {
    PlainMaps maps = unit_picture(held, row);
    std::uint32_t tensor = 0;
    for (const std::int64_t out : {32, 64, 128}) {
      const auto w = drawn(tensor++, out * maps.channels * 9, maps.channels * 9);
      maps = convolved(maps, {.w = w, .stride = 2, .pad = 1},
                       [](std::int64_t, double y) { return y < 0 ? 0.2 * y : y; });
    }
    const auto projection = drawn(tensor, 256 * 6, 256);
    for (std::size_t d = 0; d < 6; ++d) {
      double sum = 0;
      for (std::int64_t c = 0; c < 128; ++c)
        sum += maps.mean(c) * static_cast<double>(projection[at(c) * 6 + d]) +
               maps.deviation(c) * static_cast<double>(projection[at(128 + c) * 6 + d]);
      expected.push_back(sum);
    }
  }
  check_close(got, expected);
  CHECK(extracted(*made("random-conv:5:6", held.info), held).features != got);
}

TEST_CASE("extractors: a classifier learns classes, and its features are its units") {
  const HeldRows held = halves(400);
  Workers workers(2);
  const auto extractor = made("classifier:5", held.info);
  RowPieces pieces(held, 64);
  const FitReport report = extractor->fit(pieces, {Rng(2), workers});
  CHECK(extractor->info().classes == 2);
  CHECK(report.facts.at(0).first == "accuracy");
  CHECK(report.facts.at(0).second > 0.95);
  CHECK(report.concerns.empty());
  const Extracted got = extracted(*extractor, held, 5, 2);
  const std::vector<TensorRef> tensors = extractor->tensors();
  std::vector<double> units, logits;
  for (const std::int64_t row : {5, 6}) {
    PlainMaps maps = unit_picture(held, row);
    for (const char* layer : {"conv1", "conv2", "conv3"}) {
      const auto bias = tensor_of(tensors, std::string(layer) + "/b");
      maps = convolved(maps,
                       {.w = tensor_of(tensors, std::string(layer) + "/w"), .stride = 2, .pad = 1},
                       [bias](std::int64_t c, double y) {
                         return std::max(0.0, y + static_cast<double>(bias[at(c)]));
                       });
    }
    const auto dense = [&](const std::string& layer, const std::vector<double>& x) {
      const auto w = tensor_of(tensors, layer + "/w"), b = tensor_of(tensors, layer + "/b");
      std::vector<double> y(b.begin(), b.end());
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t o = 0; o < y.size(); ++o)
          y[o] += x[i] * static_cast<double>(w[i * y.size() + o]);
      return y;
    };
    std::vector<double> means;
    for (std::int64_t c = 0; c < 128; ++c) means.push_back(maps.mean(c));
    std::vector<double> own = dense("units", means);
    for (double& value : own) value = std::max(0.0, value);
    units.insert(units.end(), own.begin(), own.end());
    for (const double value : dense("classes", own)) logits.push_back(value);
  }
  check_close(got.features, units);
  check_close(got.logits, logits);
}

TEST_CASE("extractors: fits have the same bytes for 1, 2 and 4 threads, and another seed others") {
  const HeldRows held = halves(150);
  const auto bytes_of = [&](const char* words, int threads, std::uint64_t seed) {
    Workers workers(threads);
    const auto extractor = made(words, held.info);
    RowPieces pieces(held, 50);
    (void)extractor->fit(pieces, {Rng(seed), workers});
    std::vector<std::byte> bytes;
    for (const TensorRef& tensor : extractor->tensors())
      bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
    return bytes;
  };
  for (const char* words : {"pca:7", "classifier:3"}) {
    const auto one = bytes_of(words, 1, 1);
    CHECK(bytes_of(words, 2, 1) == one);
    CHECK(bytes_of(words, 4, 1) == one);
  }
  CHECK(bytes_of("classifier:3", 2, 2) != bytes_of("classifier:3", 2, 1));
}

TEST_CASE("extractors: a classifier refuses rows of one class") {
  HeldRows held = halves(20);
  std::ranges::fill(held.rows.y, 1);
  Workers workers(1);
  RowPieces pieces(held, 20);
  CHECK_THROWS_WITH_AS((void)made("classifier:3", held.info)->fit(pieces, {Rng(1), workers}),
                       "pictures: has rows of class 1 alone, and a classifier needs two", Error);
}

TEST_CASE("extractors: a model gives the posterior means of its encoder") {
  LinearGaussian::Weights weights{{1, 0.5, -0.3, 2, 0.1, 1}, {0, 0.2, -0.1}, 0.5};
  auto model = std::make_unique<LinearGaussian>(weights, 2);
  HeldRows held;
  held.info = model->info().data;
  held.rows = rows_of(held.info, Json::parse("[[0.1, 0.2, 0.3], [-1, 0, 1]]", "x"));
  const auto means = model->encode(held.examples()).mean;
  Abilities can = abilities(*model);
  const auto extractor =
      make_extractor(parse_extractor("model:x.h5"),
                     {.data = held.info, .model = {std::move(model), std::move(can)}});
  CHECK(extractor->info().width == 2);
  CHECK(extracted(*extractor, held).features == means);
}

TEST_CASE("extractors: without an encoder a thousand draws of the prior are weighed") {
  const Json params = Json::parse(
      R"({"Wd": [[1, -2]], "bd": [0.3, 0], "Wo": [[1, -1], [2, 0.5]], "bo": [0, 0.4]})", "tiny");
  auto owned = std::make_unique<TinyBernoulli>(params);
  const TinyBernoulli& model = *owned;
  HeldRows held;
  held.info = model.info().data;
  held.rows = rows_of(held.info, Json::parse("[[1, 0], [0, 1], [1, 1]]", "x"));
  Abilities can = abilities(model);
  const auto extractor =
      make_extractor(parse_extractor("model:x.h5"),
                     {.data = held.info, .model = {std::move(owned), std::move(can)}});
  const auto got = extracted(*extractor, held).features;
  std::vector<float> z(1000 * at(model.dims()));
  model.draw_prior(z, 0, Rng(1));
  std::vector<double> expected;
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<double> sums(at(model.dims()));
    double total = 0;
    for (std::size_t k = 0; k < 1000; ++k) {
      const std::vector<double> draw(
          z.begin() + static_cast<std::ptrdiff_t>(k * sums.size()),
          z.begin() + static_cast<std::ptrdiff_t>((k + 1) * sums.size()));
      std::vector<double> gradient(sums.size());
      const double weight =
          std::exp(model.log_likelihood(model.example(held.rows, row), draw, gradient));
      total += weight;
      for (std::size_t d = 0; d < sums.size(); ++d) sums[d] += weight * draw[d];
    }
    for (const double sum : sums) expected.push_back(sum / total);
  }
  check_close(got, expected);
  const auto alone = extracted(*extractor, held, 2, 1).features;  // no matter who comes with it
  CHECK(alone == std::vector<float>(got.end() - std::ssize(alone), got.end()));
}

}  // namespace logpx::extractors_test
