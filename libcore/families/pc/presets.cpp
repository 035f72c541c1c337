#include "libcore/families/pc/presets.hpp"

namespace logpx::pc {
namespace {

void usual(Settings&) {}  // the defaults

void tiny(Settings& s) {
  s.model.preset_states = 8;
  s.model.preset_styles = 4;
  s.training.epochs = 2;
}

void small(Settings& s) { s.learning.pseudocount = 0.03; }  // setting R of spec/pc.md 15.2

void pictures(Settings& s) {  // spec/pc.md 4.2b
  s.model.preset_states = 64;
  s.training.batch = 1000;
  s.training.epochs = 8;
}

void paper(Settings& s) {  // [Monarch sec. 5.1]
  s.model.factors = "512,1024";
  s.training.batch = 4096;
  s.training.epochs = 20;
  s.training.shards = 2;
}

}  // namespace

Settings::Settings() {
  training.reads = reads_of(PcAlgorithm::gradient);
  training.lr = 1;
  training.lr_schedule = Curve::linear;
  training.batch = 128;
  training.epochs = 5;
}

void Settings::describe(Fields& f) {
  model.describe(f);
  learning.describe(f);
  training.describe(f);
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {
      {"usual", usual}, {"tiny", tiny}, {"small", small}, {"pictures", pictures}, {"paper", paper}};
  return all;
}

}  // namespace logpx::pc
