#include "tools/sessions/inverse_output.hpp"

#include "formats/json/fields_json.hpp"
#include "formats/number_stream.hpp"
#include "formats/samples_file.hpp"
#include "tools/frame/shared_options.hpp"

#include <utility>

namespace logpx {
namespace {

class NumbersOutput final : public InverseOutput {
 public:
  NumbersOutput(App& app, const std::string& target, NumberFormat form, const InverseLayout& layout)
      : app_(app),
        target_(target),
        kind_(form == NumberFormat::npy ? "npy" : "csv"),
        stream_(target, app.overwrite(),
                {.form = form, .rows = layout.n, .row_shape = layout.shape}) {}

  void append(const InverseSamples& samples, SampleExtras) override {
    stream_.append(samples.z, app_.workers());
  }
  [[nodiscard]] FileRecord finish() override {
    stream_.commit();
    return {.role = "samples", .path = target_, .kind = kind_, .bytes = stream_.bytes()};
  }

 private:
  App& app_;
  std::string target_, kind_;
  NumberStream stream_;
};

// The info of samples without rows of data.
DatasetInfo codes_alone() {
  DatasetInfo info;
  info.content = Content::vector;
  info.element = Element::f32;
  return info;
}

class SamplesOutput final : public InverseOutput {
 public:
  SamplesOutput(App& app, const std::string& target, const InverseLayout& layout)
      : app_(app),
        layout_(layout),
        out_(target, app.overwrite()),
        info_(layout.means.value_or(codes_alone())),
        writer_(out_, info_, &app.workers()),
        z_(writer_.code("z", layout.shape)),
        u_(writer_.code("u", layout.uniforms == 1 ? h5::Shape() : h5::Shape{layout.uniforms})) {}

  void append(const InverseSamples& samples, SampleExtras extras) override {
    extras.means.count = samples.last - samples.first;  // also if there are only codes
    writer_.append(extras.means);
    components_.insert(components_.end(), extras.components.begin(), extras.components.end());
    z_.append(std::as_bytes(samples.z));
    u_.append(std::as_bytes(samples.u));
    for (ArtifactColumn* column : {&z_, &u_}) column->flush(&app_.workers());
  }
  [[nodiscard]] FileRecord finish() override {
    info_.n = layout_.n;
    std::vector<TensorView> codes;
    if (layout_.components > 0)
      codes.push_back(TensorView::of("component", std::span<const std::int32_t>(components_),
                                     {layout_.n, layout_.components}));
    const std::string hash = writer_.finish(info_,
                                            {.family = layout_.family,
                                             .model_hash = layout_.source_hash,
                                             .seed = app_.rng().seed(),
                                             .sampler = settings_json(app_.fields()),
                                             .is_mean = layout_.means.has_value()},
                                            codes, app_.provenance());
    out_.commit();
    return {.role = "samples",
            .path = out_.target(),
            .kind = "samples",
            .bytes = out_.bytes(),
            .content_hash = hash};
  }

 private:
  App& app_;
  InverseLayout layout_;
  OutputFile out_;
  DatasetInfo info_;
  SamplesWriter writer_;
  std::vector<std::int32_t> components_;
  ArtifactColumn &z_, &u_;
};

}  // namespace

void describe_inverse_output(Fields& f, std::string& output, std::string& format) {
  describe_output(f, output, "where to write the samples", {{"csv", "npy", "h5"}, "format"})
      .required();
  f.add_word("format", format,
             {{"auto", "by the suffix"},
              {"csv", "z alone, as text"},
              {"npy", "z alone, as an array"},
              {"h5", "samples with their numbers u"}},
             "z alone as CSV or npy, or samples (logpx-samples(5)) with their numbers u")
      .shows_default("by suffix; csv for stdout")
      .rank(Rank::manual);
}

std::unique_ptr<InverseOutput> open_inverse_output(App& app, const std::string& output,
                                                   const InverseLayout& layout) {
  const std::string format = app.format_of(output);
  const std::string target = app.fields().find_option("--" + output)->text();
  if (format == "h5") return std::make_unique<SamplesOutput>(app, target, layout);
  return std::make_unique<NumbersOutput>(
      app, target, format == "npy" ? NumberFormat::npy : NumberFormat::csv, layout);
}

}  // namespace logpx
