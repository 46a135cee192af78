/**
 * Text from outside with nothing hidden in it: control characters, marks that turn the direction of text,
 * and the tags and fillers of Unicode that people don't see and models read are written as `\u{e0041}`.
 */
export function visible(text: string): string {
  return text.toWellFormed().replace(hidden, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** Line feeds and tabs stay, because they lay out bodies. */
const hidden = new RegExp(
  [
    /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u,
    // Fillers and variation selectors, which are letters and marks by their category.
    /[\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/** Makes every text of a value visible, its names included. Times become text. */
export function visibleValue(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [visible(name), visibleValue(field)]));
}

/** A short text from outside in one line: in quotes, and cut. */
export function quote(text: string | null, maxChars = 120): string {
  if (text === null) return "none";
  const cut = text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;
  return JSON.stringify(visible(cut));
}
