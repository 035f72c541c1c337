// Fuzz target of tokens: models of SentencePiece as a dataset has them in /tokens/model. The bytes
// are such a model, which cuts texts into tokens whose texts are those texts, or an error of data.
#include "formats/import/tokens.hpp"
#include "libcore/base/error.hpp"

#include <string>
#include <vector>

using namespace logpx;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = "the cat sat\n";
  try {
    const Tokens tokens = Tokens::of_model(std::string(data, data + size), "fuzz");
    std::vector<std::uint16_t> symbols;
    tokens.cut(text, "text", symbols);
    std::string same;
    for (const std::uint16_t symbol : symbols) same += tokens.texts().at(symbol);
    if (same != text) __builtin_trap();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::usage) __builtin_trap();
  }
  return 0;
}
