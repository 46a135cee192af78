/**
 * The template name of a value in the payload or another root: `data.object.email`,
 * `payload.items[0].id`, `payload["x y"]`. Null if no template can name it: a name with both kinds
 * of quotes, or a backslash, which Liquid reads as an escape.
 */
export function toTemplatePath(
  keys: readonly (string | number)[],
  root = "payload",
): string | null {
  const [first] = keys;
  const isShort = root === "payload" && typeof first === "string" && shortNames.has(first);
  let path = isShort ? "" : root;
  for (const key of keys) {
    const step = toStep(key);
    if (step === null) return null;
    path += path === "" ? String(key) : step;
  }
  return path;
}

/** Names in templates that need no `payload.` prefix. */
const shortNames: ReadonlySet<string> = new Set(["id", "type", "data"]);

function toStep(key: string | number): string | null {
  if (typeof key === "number") return `[${key}]`;
  if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return `.${key}`;
  // Braces and percent signs could end the template that contains the path.
  if (key === "" || /[\\{}%\p{Cc}]/u.test(key)) return null;
  if (!key.includes('"')) return `["${key}"]`;
  return key.includes("'") ? null : `['${key}']`;
}
