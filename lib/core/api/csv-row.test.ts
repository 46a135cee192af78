import fc from "fast-check";
import { expect, it } from "vitest";
import { toCsvRow } from "./csv-row.ts";

it.each([
  [["a", "b"], "a,b\r\n"],
  [["", ""], ",\r\n"],
  [['say "hi"', "a,b", "a;b"], '"say ""hi""","a,b","a;b"\r\n'],
  [["one\ntwo", "one\r\ntwo", " a "], '"one\ntwo","one\r\ntwo"," a "\r\n'],
])("%j is written by RFC 4180", (cells, row) => {
  expect(toCsvRow(cells)).toBe(row);
});

it.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(1)",
  "  =1+1",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  "＝1+1",
  "\u200b=1+1",
  "\ufeff=1+1",
  "\u200e=1+1",
  "\u202e+1",
  "\u00ad-1",
  "\u2060@SUM(1)",
  "\u0000=1",
  "\u001f =1",
  "\ufe0f=1",
  "\u3164=1",
  "\u115f=1",
  "\u{e0041}=1",
  "\u180e\u200d =1",
  "\ufe661",
  '=HYPERLINK("http://x","a")',
])("%j is text for a spreadsheet", (cell) => {
  const [read = ""] = parseRow(toCsvRow([cell]));
  expect(read).toBe(`'${cell}`);
});

it("every cell is read as it was written, and no part of it starts as a formula", () => {
  const cell = fc.string({ unit: fc.constantFrom(..."ab=+-@,;\"'\t\r\n é") });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      const read = parseRow(toCsvRow(cells));
      expect(read.map((text, index) => (text === cells[index] ? text : text.slice(1)))).toEqual(
        cells,
      );
      expect(read.filter((text) => /^\s*[=+\-@]/.test(text))).toEqual([]);
    }),
  );
});

/** The cells of one row, by the grammar of RFC 4180. */
function parseRow(row: string): string[] {
  const cells = [...row.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n$)/gy)];
  return cells.map(([, cell = ""]) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
}
