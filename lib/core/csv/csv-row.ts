/**
 * A row of CSV (RFC 4180), with the line break. A cell that a spreadsheet would run as a formula
 * starts with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). Quotes also
 * surround what another program may take for a separator, so that no such cell begins in the middle
 * of another.
 */
export function toCsvRow(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

/** Also after white space, which some programs trim, and in full width (U+FF1D and the like). */
const formula = /^(?:[\t\r\n]|\s*[=+\-@\uff0b\uff0d\uff1d\uff20])/;
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

function toCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
