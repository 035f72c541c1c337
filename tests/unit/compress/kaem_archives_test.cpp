// Archives of KAEMs: those of another day and machine, and those that anyone may have written.
// [kaem/README 11; codec/README]
#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/trials.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::kaem_archives_test {

using namespace logpx::archive;
using namespace logpx::compress;
using namespace logpx::testing;

namespace {

struct CodedRows {
  std::shared_ptr<Model> model;
  std::vector<MemoryFile> files;  // an IDX file of the model's own rows
};
CodedRows coded_rows(const Family& trial) {
  const HeldRows rows = trial.tiny_rows(40);
  Trainee trainee = trial.trainee("tiny", {.train = rows.examples()}, Rng(2));
  trainee.task.reset();
  const std::vector<std::int64_t> sizes = {rows.rows.count, rows.info.shape[0], rows.info.shape[1]};
  ByteVector idx = array_header(MemberKind::idx, sizes);
  idx.insert(idx.end(), rows.rows.x.begin(), rows.rows.x.end());
  return {std::move(trainee.model), {{"rows.idx", idx}}};
}
// The preset `tiny`, and one with an encoder.
std::vector<Family> trials() {
  const std::vector<Family> all = trials_of(find_family("kaem"));
  return {all[0], all[1]};
}

Coding coding_with(const std::shared_ptr<Model>& model, const std::vector<std::string>& knobs,
                   Workers& workers) {
  CodingOptions options;
  Fields fields;
  options.knobs.describe(fields);
  for (const std::string& knob : knobs) fields.set(knob, Origin::option);
  return testing::coding_of(model, options, workers);
}

// An archive whose header contradicts the settings that it was made with.
bool is_refused(const CodedRows& coded, const std::string& knob, const std::string& value) {
  Workers workers(1);
  Coding coding = coding_with(coded.model, {}, workers);
  coding.parameters.settings.set(knob, value);
  const ByteVector bytes = testing::make_archive(coding, coded.files, Methods::model, workers);
  try {
    (void)testing::open_archive(bytes, coded.model, workers);
    return false;
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return true;
  }
}

}  // namespace

// Written on x86-64 by tests/archives/kaem/make: on another machine this proves the tables of the
// prior, the generator, and the encoder.
TEST_CASE("compress: archives of KAEMs, by codebook and by encoder, are opened on every machine") {
  const std::string expected = read_text_file(stored_archive("kaem/sha256")).substr(0, 64);
  for (const char* name : {"codebook", "encoder"}) {
    CAPTURE(name);
    CHECK(hash_of_stored("kaem/" + std::string(name) + ".lpx") == expected);
  }
}

TEST_CASE("compress: a KAEM's archive comes back by codebook and by bits back") {
  Workers workers(2);
  for (const Family& trial : trials()) {
    const CodedRows coded = coded_rows(trial);
    for (const std::vector<std::string>& knobs :
         {std::vector<std::string>{}, {"codebook=100"}, {"codebook=7", "codebook_seed=5"}}) {
      const Coding coding = coding_with(coded.model, knobs, workers);
      const ByteVector bytes = testing::make_archive(coding, coded.files, Methods::model, workers);
      const auto members = testing::open_archive(bytes, coded.model, workers);
      CHECK((members == std::vector<ByteVector>{coded.files[0].bytes}));
    }
  }
}

TEST_CASE("compress: the seed of a codebook stands in its archive, and another one is refused") {
  Workers workers(1);
  const CodedRows coded = coded_rows(trials().front());
  const Coding coding = coding_with(coded.model, {"codebook_seed=5"}, workers);
  CHECK(coding.parameters.settings.at("codebook_seed").string() == "5");
  CHECK(coding.parameters.probe != coding_with(coded.model, {}, workers).parameters.probe);
  CHECK(is_refused(coded, "codebook_seed", "2"));
}

TEST_CASE("compress: a codebook that nobody makes is the archive's fault") {
  for (const Family& trial : trials()) {
    const CodedRows coded = coded_rows(trial);
    for (const char* size : {"0", "-1", "524289", "4294967297", "99999999999999999999", "1e3", "x",
                             "", "auto", "Off"}) {
      CAPTURE(size);
      CHECK(is_refused(coded, "codebook", size));
    }
    for (const char* other : {"-1", "x", "", "18446744073709551616"})
      CHECK(is_refused(coded, "codebook_seed", other));
    CHECK(is_refused(coded, "codebooks", "1024"));
  }
  CHECK(is_refused(coded_rows(trials().front()), "codebook", "off"));
  CHECK(is_refused(coded_rows(trials().front()), "latent_bits", "12"));
  const CodedRows encoded = coded_rows(trials().back());
  for (const char* bits : {"0", "17", "auto", ""}) CHECK(is_refused(encoded, "latent_bits", bits));
  CHECK(is_refused(encoded, "particles", "0"));
  CHECK(is_refused(encoded, "particles", "1025"));
}

}  // namespace logpx::kaem_archives_test
