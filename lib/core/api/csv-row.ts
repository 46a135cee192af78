/**
 * A row of CSV (RFC 4180), with the line break. A cell that a spreadsheet would run as a formula
 * starts with an apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). Quotes also
 * surround what another program may take for a separator, so that no such cell begins in the middle
 * of another.
 */
export function toCsvRow(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

/**
 * Also in full width (U+FF1D and the like), in other forms of these characters, and after white space or
 * what isn't seen, both of which some programs drop: control and format characters, and fillers.
 */
const unseen = "\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800";
const signs = "=+\\-@\\u2212\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20";
const formula = new RegExp(`^(?:[\\t\\r\\n]|[${unseen}]*[${signs}])`, "u");
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

function toCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
