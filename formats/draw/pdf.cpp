#include "formats/draw/pdf.hpp"

#include "formats/draw/unicode.hpp"
#include "libcore/base/error.hpp"

#include <fmt/core.h>

#include <cstdint>

namespace logpx::draw {

namespace {

// The words after the last "KEY " of the trailer: "13 0 R" of "/Root".
std::string trailer_entry(std::string_view pdf, std::string_view key) {
  const std::size_t trailer = pdf.rfind("trailer");
  const std::size_t at = pdf.find(key, trailer == std::string_view::npos ? pdf.size() : trailer);
  if (at == std::string_view::npos)
    fail(ErrorKind::io, "gnuplot", "wrote a PDF whose trailer has no " + std::string(key));
  const std::size_t begin = pdf.find_first_not_of(" \n", at + key.size());
  return std::string(pdf.substr(begin, pdf.find_first_of("/\n>", begin) - begin));
}

// A text of a PDF: UTF-16 with its mark, in hexadecimal digits.
std::string pdf_text(std::string_view text) {
  std::string digits = "<feff";
  for (const char32_t letter : letters_of(text)) {
    const auto code = static_cast<std::uint32_t>(letter);
    if (code < 0x10000) digits += fmt::format("{:04x}", code);
    else
      digits += fmt::format("{:04x}{:04x}", 0xd800 + ((code - 0x10000) >> 10),
                            0xdc00 + ((code - 0x10000) & 0x3ff));
  }
  return digits + '>';
}

// Blanks in the place of the date, so that nothing else in the file moves.
void blank_date(std::string& pdf) {
  const std::size_t begin = pdf.rfind("/CreationDate (");
  if (begin == std::string::npos) return;
  const std::size_t end = pdf.find(')', begin);
  if (end != std::string::npos) pdf.replace(begin, end + 1 - begin, end + 1 - begin, ' ');
}

}  // namespace

// An update at the end of the file: a new object of facts, its place, a trailer that names it.
std::string with_pdf_facts(std::string pdf, const PdfFacts& facts) {
  const std::string before = trailer_entry(pdf, "startxref"), info = trailer_entry(pdf, "/Info");
  const std::string number = info.substr(0, info.find(' '));
  blank_date(pdf);
  if (!pdf.ends_with('\n')) pdf += '\n';
  const std::size_t object = pdf.size();
  pdf += fmt::format("{} 0 obj\n<< /Title {} /Subject {} >>\nendobj\n", number,
                     pdf_text(facts.title), pdf_text(facts.subject));
  const std::size_t table = pdf.size();
  pdf += fmt::format("xref\n{} 1\n{:010} 00000 n \ntrailer\n", number, object);
  pdf += fmt::format("<< /Size {} /Root {} /Info {} 0 R /Prev {} >>\nstartxref\n{}\n%%EOF\n",
                     trailer_entry(pdf.substr(0, object), "/Size"),
                     trailer_entry(pdf.substr(0, object), "/Root"), number, before, table);
  return pdf;
}

bool is_whole_pdf(std::string_view pdf) {
  while (!pdf.empty() && (pdf.back() == '\n' || pdf.back() == '\r')) pdf.remove_suffix(1);
  return pdf.starts_with("%PDF-") && pdf.ends_with("%%EOF");
}

}  // namespace logpx::draw
