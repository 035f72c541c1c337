// usage: tour MODEL DATASET FILE
// What log p of the rows is under the model, some draws, and the file as an archive and back.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <logpx/logpx.hpp>
#include <numeric>

namespace px = logpx::v0;

static px::Bytes read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

static void tour(const px::Model& model, const px::Rows& rows, const px::Bytes& file) {
  const px::Scores scores = model.score(rows);
  const double sum = std::accumulate(scores.nats.begin(), scores.nats.end(), 0.0);
  std::printf("%s: log p of %zu rows is %.4f nats on average (%s)\n", model.family().c_str(),
              scores.nats.size(), sum / static_cast<double>(scores.nats.size()),
              scores.kind.c_str());
  const px::Rows draws = model.draw(3, {.seed = 7});
  const px::Scores likely = model.score(model.rows(draws.values()));
  for (const double nats : likely.nats) std::printf("a draw with log p %.4f\n", nats);
  const px::Bytes archive = model.encode(file);
  const bool same = model.decode(archive) == file;
  std::printf("%zu bytes became %zu, and %s\n", file.size(), archive.size(),
              same ? "the same again" : "others");
}

int main(int argc, char** argv) {
  try {
    if (argc == 4) tour(px::Model(argv[1]), px::Rows(argv[2]), read_file(argv[3]));
    return argc == 4 ? 0 : 2;
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "tour: %s\n", trouble.what());
    return 1;
  }
}
