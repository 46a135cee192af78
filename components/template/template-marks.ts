/** What the fields of the editor know of the templates in them, without rendering any. */

/** A stretch of a field's text: the words between templates, or one template. */
export type TemplatePart = {
  readonly text: string;
  readonly kind: "text" | "template" | "missing";
};

/** The text cut at its templates; one that names something of `missing` says so. */
export function splitTemplates(text: string, missing: readonly string[]): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const match of text.matchAll(template)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), kind: "text" });
    const isMissing = missing.some((name) => listNames(match[0]).includes(name));
    parts.push({ text: match[0], kind: isMissing ? "missing" : "template" });
    from = match.index + match[0].length;
  }
  if (from < text.length || parts.length === 0)
    parts.push({ text: text.slice(from), kind: "text" });
  return parts;
}

/** The name that a sentence of the preview says is not there, as it is written plainly; null: it speaks of something else. */
export function readMissingName(message: string): string | null {
  const name = /^(?:line \d+, column \d+: )?(.+?) is not (?:in this|there)\b/.exec(message)?.[1];
  return name === undefined ? null : toPlainName(name);
}

/** The text with a fallback wherever it prints that name and has none yet. `''` fits inside the quotes of JSON too. */
export function addDefault(text: string, name: string, place: "text" | "json"): string {
  const fallback = place === "json" ? "''" : '""';
  return text.replace(template, (found) => {
    if (
      !found.startsWith("{{") ||
      /\|\s*default\s*:/.test(found) ||
      !listNames(found).includes(name)
    )
      return found;
    return found.replace(/\s*(-?\}\})$/, ` | default: ${fallback} $1`);
  });
}

const template = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** Every name in a template, plainly written: `data["a"]` is `data.a`. Quotes of JSON around it are undone. */
function listNames(found: string): readonly string[] {
  const source = found.replaceAll('\\"', '"');
  // A name, or a text in quotes, which is none.
  const names = source.matchAll(
    /[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+|\[\s*(?:-?\d+|"[^"]*"|'[^']*')\s*\])*|"[^"]*"|'[^']*'/gu,
  );
  return [...names].map(([name]) => toPlainName(name));
}

function toPlainName(name: string): string {
  return name.replace(
    /\[\s*(?:"([^"]*)"|'([^']*)')\s*\]/g,
    (whole, double?: string, single?: string) => {
      const key = double ?? single ?? "";
      return /^[\p{L}\p{N}_-]+$/u.test(key) ? `.${key}` : whole.replaceAll("'", '"');
    },
  );
}
