import type { Completion, Suggestion } from "#components/ui/code/suggestion.ts";

const maxSuggestions = 30;
/** The minimum length of a name without its path, so that ordinary words aren't completed. */
const minChars = 3;

/** The names of the delivery and of earlier steps, in the form that a transform uses. */
export function toCodeNames(names: readonly Suggestion[]): readonly Suggestion[] {
  return names.flatMap((name) => {
    const text = toCode(name.text);
    return text === null ? [] : [{ ...name, label: text, text }];
  });
}

/**
 * The name in code: `data.id` is `delivery.payload.data.id`. Null: there is none, as for an item.
 */
function toCode(path: string): string | null {
  const root = /^\w+/.exec(path)?.[0] ?? "";
  if (root === "steps" || root === "delivery") return path;
  if (root === "item" || root === "index") return null;
  return root === "id" || root === "type" || root === "data"
    ? `delivery.payload.${path}`
    : `delivery.${path}`;
}

/** Null if nothing fits, in comments, and in texts. */
export function completeCode(
  text: string,
  cursor: number,
  names: readonly Suggestion[],
): Completion | null {
  const line = text.slice(text.lastIndexOf("\n", cursor - 1) + 1, cursor);
  const [typed = ""] = /[\p{L}\p{N}_$.?[\]"]*$/u.exec(line) ?? [];
  if (isInText(line.slice(0, line.length - typed.length))) return null;
  const wanted = typed.replaceAll("?.", ".").toLowerCase();
  const isPath = wanted.startsWith("delivery") || wanted.startsWith("steps");
  if (wanted === "" || (!isPath && wanted.length < minChars)) return null;
  const fits = ({ label }: Suggestion) => {
    const known = label.toLowerCase();
    return known.startsWith(wanted) || (!isPath && known.includes(`.${wanted}`));
  };
  const suggestions = names.filter(fits).slice(0, maxSuggestions);
  const [only] = suggestions;
  if (only === undefined || (suggestions.length === 1 && only.label === typed)) return null;
  return { from: cursor - typed.length, to: cursor, suggestions };
}

function isInText(before: string): boolean {
  if (before.includes("//")) return true;
  const quotes = before.replace(/\\./g, "").replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "");
  return /["'`]/.test(quotes);
}

export function applyCode(
  text: string,
  { from, to }: Completion,
  suggestion: Suggestion,
): { readonly text: string; readonly cursor: number } {
  const cursor = from + suggestion.text.length;
  return { text: text.slice(0, from) + suggestion.text + text.slice(to), cursor };
}
