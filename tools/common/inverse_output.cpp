#include "tools/common/inverse_output.hpp"

#include "formats/json/fields_json.hpp"
#include "formats/number_stream.hpp"
#include "formats/samples_file.hpp"

#include <utility>

namespace logpx {
namespace {

class NumbersOutput final : public InverseOutput {
 public:
  NumbersOutput(App& app, const std::string& target, NumberForm form, const InverseLayout& layout)
      : app_(app),
        target_(target),
        kind_(form == NumberForm::npy ? "npy" : "csv"),
        stream_(target, app.overwrite(),
                {.form = form, .rows = layout.n, .row_shape = layout.shape}) {}

  void append(const InverseSamples& samples) override { stream_.append(samples.z, app_.workers()); }
  [[nodiscard]] FileRecord finish() override {
    stream_.commit();
    return {.role = "samples", .path = target_, .kind = kind_, .bytes = stream_.bytes()};
  }

 private:
  App& app_;
  std::string target_, kind_;
  NumberStream stream_;
};

// Of samples that have no rows of data.
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
        info_(codes_alone()),
        writer_(out_, info_, &app.workers()),
        z_(writer_.code("z", layout.shape)),
        u_(writer_.code("u", layout.uniforms == 1 ? h5::Shape() : h5::Shape{layout.uniforms})) {}

  void append(const InverseSamples& samples) override {
    Rows rows;  // of which codes are all that there is
    rows.count = samples.last - samples.first;
    writer_.append(rows);
    z_.append(std::as_bytes(samples.z));
    u_.append(std::as_bytes(samples.u));
    for (ArtifactColumn* column : {&z_, &u_}) column->flush(&app_.workers());
  }
  [[nodiscard]] FileRecord finish() override {
    info_.n = layout_.n;
    const std::string hash = writer_.finish(info_,
                                            {.family = layout_.family,
                                             .model_hash = layout_.source_hash,
                                             .seed = app_.rng().seed(),
                                             .sampler = settings_json(app_.fields())},
                                            {}, app_.provenance());
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
  ArtifactColumn &z_, &u_;
};

}  // namespace

std::unique_ptr<InverseOutput> open_inverse_output(App& app, const std::string& output,
                                                   const InverseLayout& layout) {
  const std::string format = app.format_of(output);
  const std::string target = app.fields().find_option("--" + output)->text();
  if (format == "h5") return std::make_unique<SamplesOutput>(app, target, layout);
  return std::make_unique<NumbersOutput>(
      app, target, format == "npy" ? NumberForm::npy : NumberForm::csv, layout);
}

}  // namespace logpx
