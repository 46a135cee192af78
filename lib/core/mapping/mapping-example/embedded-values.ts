import type { SourceLeaf } from "./source-leaves.ts";

/** The leaves that `embedValues` looks for, longest first. */
export function listDistinct(leaves: readonly SourceLeaf[]): readonly SourceLeaf[] {
  return leaves.filter(isDistinct).toSorted(byLength);
}

/**
 * Values of the delivery inside a longer text, such as an id in a URL. Null: none.
 *
 * @param leaves from `listDistinct`
 */
export function embedValues(text: string, leaves: readonly SourceLeaf[]): string | null {
  const found: Found[] = [];
  const isFree = (start: number, end: number) =>
    found.every((other) => end <= other.start || start >= other.end);
  for (const leaf of leaves) {
    if (leaf.text.length > text.length) continue;
    for (const form of listForms(leaf)) {
      const start = findWord(text, form.text);
      if (start === -1 || !isFree(start, start + form.text.length)) continue;
      found.push({ start, end: start + form.text.length, path: form.path });
      break;
    }
  }
  const kept = dropWeak(text, found);
  if (kept.length === 0) return null;
  let template = "";
  let at = 0;
  for (const { start, end, path } of kept.toSorted((a, b) => a.start - b.start)) {
    template += `${text.slice(at, start)}{{ ${path} }}`;
    at = end;
  }
  return template + text.slice(at);
}

type Found = { readonly start: number; readonly end: number; readonly path: string };

/** A short word in a longer text is there by chance, unless the values make up the whole text. */
function dropWeak(text: string, found: readonly Found[]): readonly Found[] {
  const rest = found
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  if (!/\p{L}/u.test(rest)) return found;
  return found.filter(({ start, end }) => end - start >= 5 || /\d/.test(text.slice(start, end)));
}

/** Short values occur in any text by chance. */
function isDistinct({ text, value }: SourceLeaf): boolean {
  if (typeof value === "boolean" || value === null) return false;
  return typeof value === "string"
    ? text.length >= 3 && /[\p{L}\p{N}]/u.test(text)
    : text.length >= 3;
}

function byLength(a: SourceLeaf, b: SourceLeaf): number {
  return b.text.length - a.text.length || a.path.length - b.path.length;
}

/** The value as written and, if it can be a number of cents, as an amount. */
function listForms({ text, path }: SourceLeaf): readonly { text: string; path: string }[] {
  const whole = { text, path };
  if (!/^\d{3,12}$/.test(text)) return [whole];
  const cents = text.slice(-2);
  const amount = `${text.slice(0, -2)}.${cents}`;
  const major = `${path} | divided_by: 100 }}.{{ ${path} | modulo: 100 | prepend: "0" | slice: -2, 2`;
  return [whole, { text: amount, path: major }];
}

/** The position of a part that isn't inside a longer word or number. -1: nowhere. */
function findWord(text: string, part: string): number {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + part.length]];
    if (!isWord(before) && !isWord(after)) return at;
  }
  return -1;
}

function isWord(character: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}
