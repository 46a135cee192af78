import { expect, it } from "vitest";
import { safeBlock, safeText } from "./safe-text.ts";

it.each([
  ["invoice.paid", "invoice.paid"],
  ["evil\u202egpj.exe", "evil\\u{202e}gpj.exe"],
  ["a\u0000b\r\nc", "a\\u{0}b\\u{d}\\u{a}c"],
  ["\ud800x", "\\u{d800}x"],
  ["x\udc00", "x\\u{dc00}"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
])("%j is shown as %j", (text, shown) => expect(safeText(text)).toBe(shown));

it.each([
  ["Persian", "می\u200cخواهم"],
  ["Persian after a letter that joins on one side only", "محمد\u200cرضا"],
  ["Persian with digits", "۱۰\u200cساله"],
  ["Arabic, the form of a letter within a word", "ه\u200d"],
  ["Urdu with a vowel sign", "بَ\u200cب"],
  ["Hindi", "क्\u200dष"],
  ["Hindi, a visible virama at the end", "श्रीमान्\u200c"],
  ["Marathi", "दुसऱ्\u200dया"],
  ["Bengali", "র\u200d্যাম"],
  ["Malayalam, a final letter", "അവന്\u200d"],
  ["Kannada", "ರ\u200d್ಯಾ"],
  ["Sinhala", "ශ්\u200dරී ලංකා"],
  ["Telugu", "సాఫ్ట్\u200cవేర్"],
  ["an astronaut", "Zoë 👩\u200d🚀 £"],
  ["a family", "👨\u200d👩\u200d👧\u200d👦"],
  ["a flag", "🏳\ufe0f\u200d🌈"],
  ["skin tones", "🧑🏽\u200d🤝\u200d🧑🏻"],
  ["the flag of Wales", "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}"],
  ["Mongolian", "ᠬᠠᠨ\u180eᠠ"],
  ["a heart on fire", "❤\ufe0f\u200d🔥"],
])("%s keeps its joiner", (_language, text) => {
  expect(safeText(text)).toBe(text);
  expect(safeBlock(`${text}\n\t${text}`)).toBe(`${text}\n\t${text}`);
});

it("a block breaks lines at CR LF, and shows a CR alone", () => {
  expect(safeBlock("a\r\nb\rc\r\r\n")).toBe("a\nb\\u{d}c\\u{d}\n");
});

it.each([
  ["pay\u200cpal", "pay\\u{200c}pal"],
  ["admin\u200d", "admin\\u{200d}"],
  ["\u200dadmin", "\\u{200d}admin"],
  ["1\u200d2", "1\\u{200d}2"],
  ["سلام\u200c", "سلام\\u{200c}"],
  ["سلام\u200c x", "سلام\\u{200c} x"],
  ["می\u200c\u200cخواهم", "می\\u{200c}\\u{200c}خواهم"],
  ["ه\u200d\u200d", "ه\\u{200d}\\u{200d}"],
  ["क्\u200d\u200dष", "क्\\u{200d}\\u{200d}ष"],
  ["👩\u200d\u200d🚀", "👩\\u{200d}\\u{200d}🚀"],
  ["👩\u200d x", "👩\\u{200d} x"],
  ["👩\u200c🚀", "👩\\u{200c}🚀"],
  ["Иван\u200cов", "Иван\\u{200c}ов"],
  ["مرحبا\u200e", "مرحبا\\u{200e}"],
  ["مرحبا\u202e", "مرحبا\\u{202e}"],
  ["क\u200bष", "क\\u{200b}ष"],
  ["pay\u00adpal", "pay\\u{ad}pal"],
  ["a\u3164b", "a\\u{3164}b"],
  ["a\u180eb", "a\\u{180e}b"],
  ["ok\u{e0068}\u{e0069}", "ok\\u{e0068}\\u{e0069}"],
  ["🏴\u{e0068}\u{e0069} x", "🏴\\u{e0068}\\u{e0069} x"],
  ["🏴\u{e0068}\u{e007f}", "🏴\\u{e0068}\\u{e007f}"],
  ["می\u2060خواهم", "می\\u{2060}خواهم"],
])("%j joins nothing and is shown as %j", (text, shown) => expect(safeText(text)).toBe(shown));
