#include "tools/sessions/sample_output.hpp"

#include "formats/rows_file.hpp"
#include "tools/store/model_store.hpp"

#include <string>
#include <utility>
#include <vector>

namespace logpx {
namespace {

std::string target_of(const App& app) { return app.fields().find_option("--output")->text(); }

class ArtifactOutput final : public SampleOutput {
 public:
  ArtifactOutput(App& app, const SampleMaker& maker, SamplesOrigin origin)
      : app_(app),
        info_(maker.info()),
        origin_(std::move(origin)),
        out_(target_of(app), app.overwrite()),
        writer_(out_, info_, &app.workers()) {
    origin_.grid_columns = maker.grid_columns();
    origin_.is_mean = maker.gives_means();
  }

  void append(const SampleChunk& chunk) override {
    writer_.append(chunk.rows);
    append_codes(codes_, chunk.codes);
  }
  [[nodiscard]] FileRecord finish() override {
    std::vector<TensorView> views;
    for (SampleCode& code : codes_) views.push_back(view_of(code.tensor(info_.n)));
    const std::string hash = writer_.finish(info_, origin_, views, app_.provenance());
    out_.commit();
    return {.role = "samples",
            .path = out_.target(),
            .kind = "samples",
            .bytes = out_.bytes(),
            .content_hash = hash};
  }

 private:
  App& app_;
  DatasetInfo info_;
  SamplesOrigin origin_;
  OutputFile out_;
  SamplesWriter writer_;
  std::vector<SampleCode> codes_;
};

class RowsOutput final : public SampleOutput {
 public:
  RowsOutput(const App& app, const RowsForm& form)
      : target_(target_of(app)), format_(form.format), file_(target_, app.overwrite(), form) {}

  void append(const SampleChunk& chunk) override { file_.append(chunk.rows); }
  [[nodiscard]] FileRecord finish() override {
    file_.commit();
    return {.role = "samples", .path = target_, .kind = format_, .bytes = file_.bytes()};
  }

 private:
  std::string target_, format_;
  RowsFile file_;
};

}  // namespace

std::string sample_format(const App& app, const SampleMaker& maker) {
  const bool chosen = app.fields().find_option("--format")->text() != "auto";
  const bool of_csv = !maker.info().column_forms.empty();
  return target_of(app) == "-" && of_csv && !chosen ? "csv" : app.format_of("output");
}

void check_sample_output(App& app, const SampleMaker& maker) {
  const std::string format = sample_format(app, maker);
  if (format != "h5") require_form({format, maker.info()});
}

std::unique_ptr<SampleOutput> open_sample_output(App& app, const SampleMaker& maker,
                                                 SamplesOrigin origin) {
  const std::string format = sample_format(app, maker);
  if (format == "h5") return std::make_unique<ArtifactOutput>(app, maker, std::move(origin));
  return std::make_unique<RowsOutput>(app, RowsForm{format, maker.info()});
}

}  // namespace logpx
