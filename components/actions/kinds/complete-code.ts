import type { Completion, Suggestion } from "#components/ui/code/suggestion.ts";
import { type BuiltIn, builtIns } from "#lib/core/mapping/transform/built-ins.ts";

const maxSuggestions = 30;
/** The minimum length of a name without its path, so that ordinary words aren't completed. */
const minChars = 3;
const minBuiltInChars = 4;

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

/**
 * Names of the delivery and of earlier steps, or else what a transform has, and what it doesn't have.
 * Null if nothing fits, in comments, and in texts.
 */
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
  if (only === undefined) return completeBuiltIn(typed, cursor);
  if (suggestions.length === 1 && only.label === typed) return null;
  return { from: cursor - typed.length, to: cursor, suggestions };
}

/**
 * Enter takes the first suggestion, so a variable such as `str` must not become `String`. A name that
 * transforms don't have is shown once it is typed: its detail is the way out.
 */
function completeBuiltIn(typed: string, cursor: number): Completion | null {
  const method = /[^.]*$/.exec(typed)?.[0] ?? "";
  const fits = ({ name, kind }: BuiltIn) => {
    if (kind === "not here") return name === typed;
    if (kind === "method" && method === typed) return false;
    const start = kind === "method" ? method : typed;
    return start.length >= minBuiltInChars && name !== start && name.startsWith(start);
  };
  const found = builtIns.filter(fits);
  const [first] = found;
  if (first === undefined) return null;
  const { length } = first.kind === "method" ? method : typed;
  return { from: cursor - length, to: cursor, suggestions: found.map(toSuggestion) };
}

function toSuggestion({ name, kind, does }: BuiltIn): Suggestion {
  return { label: name, text: name, detail: does, kind };
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
