/** A value is escaped this often at most: JSON in JSON in a link. */
const maxRounds = 3;

/** Text without the escapes that `toPatternSource` knows: those of JSON, percent escapes, and references. */
export function plainText(text: string): string {
  let rest = text;
  for (let round = 0; round < maxRounds && /[\\%&]/.test(rest); round += 1) {
    const plain = rest
      .replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, readPercent)
      .replaceAll(/\\+u([0-9A-Fa-f]{4})/g, (_all, hex: string) => toCharacter(hex, 16))
      .replaceAll(/\\+([bfnrt])/g, " ")
      .replaceAll(/\\+(["\\/])/g, "$1")
      .replaceAll(/&(?:amp;)*#(?:[xX]0*([0-9A-Fa-f]{1,6})|0*(\d{1,7}));/g, readReference)
      .replaceAll(
        /&(?:amp;)*(amp|lt|gt|quot|apos|commat);/g,
        (_all, name: string) => names[name] ?? "",
      );
    if (plain === rest) break;
    rest = plain;
  }
  return rest;
}

const names: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  commat: "@",
};

function readPercent(run: string): string {
  return Buffer.from(run.replaceAll("%", ""), "hex").toString();
}

function readReference(all: string, hex: string | undefined, decimal: string | undefined): string {
  return hex === undefined ? toCharacter(decimal ?? "", 10, all) : toCharacter(hex, 16, all);
}

function toCharacter(digits: string, radix: number, otherwise = ""): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}
