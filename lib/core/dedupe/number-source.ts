/**
 * The number at a dotted path of JSON text, digit for digit as it was sent; null: there is no number.
 * `JSON.parse` rounds beyond 2^53, and a reviver that sees the source is called for every value there is and recurses:
 * a large or deep body would block the process or overflow its stack. This walks over the text once, without recursion.
 *
 * @param text valid JSON: it has been parsed before
 */
export function findNumberSource(text: string, path: string): string | null {
  let at: number | null = skipSpace(text, 0);
  for (const key of path.split(".")) {
    at = findMember(text, at, key);
    if (at === null) return null;
  }
  numberToken.lastIndex = at;
  return numberToken.exec(text)?.[0] ?? null;
}

const numberToken = /-?\d[\d.eE+-]*/y;

/** Where the value of a key or index starts. Of a key that comes twice the last one counts, as in `JSON.parse`. */
function findMember(text: string, start: number, key: string): number | null {
  const opening = text[start];
  if (opening !== "{" && opening !== "[") return null;
  let found: number | null = null;
  let at = skipSpace(text, start + 1);
  for (let index = 0; at < text.length && text[at] !== "}" && text[at] !== "]"; index += 1) {
    let name = String(index);
    if (opening === "{") {
      const end = skipString(text, at);
      name = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (name === key) found = at;
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skipString(text, start);
  if (first !== "{" && first !== "[") return skipTo(scalarEnd, text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = skipString(text, at);
    } else {
      if (character === "{" || character === "[") depth += 1;
      if (character === "}" || character === "]") depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
    at = skipTo(structure, text, at);
  }
  return at;
}

const scalarEnd = /[\s,\]}]/g;
const structure = /["[\]{}]/g;
const notSpace = /[^ \t\n\r]/g;
const stringEnd = /["\\]/g;

/** Behind the closing quote of the string that starts at `start`. */
function skipString(text: string, start: number): number {
  let at = skipTo(stringEnd, text, start + 1);
  // An escape hides the character behind it; the digits of \u0022 end no string either.
  while (at < text.length && text[at] === "\\") at = skipTo(stringEnd, text, at + 2);
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  return skipTo(notSpace, text, start);
}

function skipTo(what: RegExp, text: string, start: number): number {
  what.lastIndex = start;
  return what.exec(text)?.index ?? text.length;
}
