/**
 * Writes the same numbers as other programs would. Parsing and writing JSON turns 1.0 into 1 and
 * 1e2 into 100 (JavaScript, PHP), or 1 into 1.0 (Lua, some databases), so the signed form is a
 * guess.
 */
type NumberRewriting = { readonly text: string; readonly words: string };

/** The number of names that are tried individually. */
const maxNames = 24;

type Spelling = { readonly words: string; readonly spell: (digits: string) => string };

const spellings: readonly Spelling[] = [
  {
    words: "integers with .0 (1.0 instead of 1)",
    spell: (digits) => (isWhole(digits) ? `${digits}.0` : digits),
  },
  {
    words: "numbers with two decimals (1.00 instead of 1)",
    spell: (digits) => withTwoDecimals(digits),
  },
  {
    words: "numbers without trailing zeros or exponents (1 instead of 1.0 or 1e0)",
    spell: shorten,
  },
  {
    words: "round numbers with an exponent (1e2 instead of 100)",
    spell: (digits) => withExponent(digits, "e"),
  },
  {
    words: "round numbers with an exponent (1E2 instead of 100)",
    spell: (digits) => withExponent(digits, "E"),
  },
  {
    words: "round numbers with an exponent (1e+2 instead of 100)",
    spell: (digits) => withExponent(digits, "e+"),
  },
  {
    words: "round numbers with an exponent (1.0E2 instead of 100)",
    spell: (digits) => withExponent(digits, ".0E"),
  },
];

/** All numbers at once, then the numbers of each name. `json` is valid. */
export function* rewriteNumbers(json: string): Generator<NumberRewriting> {
  const names = new Set<string>();
  replaceNumbers(json, (digits, name) => {
    if (names.size < maxNames) names.add(name);
    return digits;
  });
  for (const { words, spell } of spellings) {
    const text = replaceNumbers(json, spell);
    if (text !== json) yield { text, words: `with ${words}` };
  }
  if (names.size < 2) return;
  for (const wanted of names) {
    for (const { words, spell } of spellings) {
      const text = replaceNumbers(json, (digits, name) =>
        name === wanted ? spell(digits) : digits,
      );
      if (text !== json) yield { text, words: `with ${words}, in some fields` };
    }
  }
}

/** The last string before a number is taken as its name. */
function replaceNumbers(json: string, spell: (digits: string, name: string) => string): string {
  let name = "";
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs, (token) => {
    if (token.startsWith('"')) {
      name = token;
      return token;
    }
    return token.length > 40 ? token : spell(token, name);
  });
}

function isWhole(digits: string): boolean {
  return /^-?\d+$/.test(digits);
}

function withTwoDecimals(digits: string): string {
  if (isWhole(digits)) return `${digits}.00`;
  return /^-?\d+\.\d$/.test(digits) ? `${digits}0` : digits;
}

/** The number as JavaScript writes it, if that is lossless. */
function shorten(digits: string): string {
  const value = Number(digits);
  const isExact = Number.isSafeInteger(value) || /^-?\d{1,10}\.\d{1,5}0*$/.test(digits);
  return isExact ? String(value) : digits;
}

function withExponent(digits: string, mark: string): string {
  const [, whole, zeros] = /^(-?[1-9]\d*?)(0+)$/.exec(digits) ?? [];
  if (whole === undefined || zeros === undefined || whole.replace("-", "").length > 1)
    return digits;
  return `${whole}${mark}${zeros.length}`;
}
