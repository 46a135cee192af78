/** The information that the editor's fields need about their templates, without rendering them. */
import type { FieldError } from "#lib/schema/field/command-result.ts";

/** A part of a field's text: text between templates, or one template. */
type TemplatePart = {
  readonly text: string;
  readonly kind: "text" | "template" | "missing";
};

/**
 * Splits the text into templates and the rest, and marks templates that use a name in `missing`.
 */
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

/** The missing name in a preview error, in plain notation. Null: another error. */
export function readMissingName({ code, name }: FieldError): string | null {
  return code !== "missing_name" || name === undefined ? null : toPlainName(name);
}

/**
 * Adds a fallback wherever the text prints that name without one. `''` is also valid inside JSON
 * strings.
 */
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

/**
 * Every name in a template, in plain notation: `data["a"]` is `data.a`. Escaped JSON quotes are
 * unescaped.
 */
function listNames(found: string): readonly string[] {
  const source = found.replaceAll('\\"', '"');
  // A name, or quoted text, which doesn't count as a name.
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
