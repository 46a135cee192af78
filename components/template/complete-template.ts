import { type PayloadNodeView, valueText, walkNodes } from "#components/payload/payload-rows.ts";
import type { Completion, Suggestion } from "#components/ui/code/suggestion.ts";
import { shorten } from "#lib/base/shorten.ts";
import { filterGuides } from "#lib/core/mapping/template/filter-guide.ts";

const maxSuggestions = 40;

/** Names that templates can use, with their values in the chosen delivery. */
export function listNames(tree: PayloadNodeView): readonly Suggestion[] {
  return walkNodes(tree).flatMap(({ node }) => {
    const { path, kind } = node;
    return path === null
      ? []
      : [{ label: path, text: path, detail: shorten(valueText(node), 60), kind }];
  });
}

/**
 * Suggestions inside `{{ … }}`: names at the position of a value, filters after a `|`. Null outside
 * of a template, inside quotes, and if nothing matches.
 */
export function completeTemplate(
  text: string,
  cursor: number,
  names: readonly Suggestion[],
  place: "text" | "json",
): Completion | null {
  const before = openTemplate(text.slice(0, cursor));
  if (before === null) return null;
  const inside = place === "json" ? before.replaceAll('\\"', '"') : before;
  const segment = lastSegment(inside);
  if (segment === null) return null;
  const [typed = ""] = /[\p{L}\p{N}_.$[\]"'-]*$/u.exec(segment.text) ?? [];
  const isFilterName = segment.isFilter && /^\s*[a-z_0-9]*$/.test(segment.text);
  if (segment.isFilter && !isFilterName && !/[:,]\s*\S*$/.test(segment.text)) return null;
  const known = isFilterName ? filterSuggestions : names;
  const suggestions = rank(known, typed).map((found) => ({
    ...found,
    text: forPlace(found.text, place),
  }));
  if (suggestions.length === 0) return null;
  const [only] = suggestions;
  if (suggestions.length === 1 && only?.label === typed) return null;
  const typedLength =
    place === "json"
      ? (/(?:\\"|[\p{L}\p{N}_.$[\]'-])*$/u.exec(before)?.[0].length ?? 0)
      : typed.length;
  return { from: cursor - typedLength, to: cursor, suggestions };
}

/**
 * The text with the suggestion inserted, the template closed if it wasn't, and the new cursor
 * position.
 */
export function applySuggestion(
  text: string,
  { from, to }: Completion,
  suggestion: Suggestion,
): { readonly text: string; readonly cursor: number } {
  const after = text.slice(to);
  const isClosed = /^[^{]*?\}\}/s.test(after);
  const inserted = `${text.slice(0, from).endsWith("{") ? " " : ""}${suggestion.text}`;
  const closing = isClosed ? "" : " }}";
  const cursor = from + inserted.length + (isClosed ? 0 : closing.length);
  return { text: text.slice(0, from) + inserted + closing + after, cursor };
}

const filterSuggestions: readonly Suggestion[] = filterGuides.map(({ name, usage, does }) => ({
  label: name,
  text: usage,
  detail: does,
  kind: "filter",
}));

/** The text between the last `{{` and the cursor. Null: no open template. */
function openTemplate(before: string): string | null {
  const start = before.lastIndexOf("{{");
  if (start === -1) return null;
  const inside = before.slice(start + 2);
  return inside.includes("}}") || inside.includes("\n") ? null : inside;
}

/** The text after the last `|` outside quotes. Null: the cursor is inside quotes. */
function lastSegment(inside: string): { readonly text: string; readonly isFilter: boolean } | null {
  let quote = "";
  let from = 0;
  let isFilter = false;
  for (let at = 0; at < inside.length; at += 1) {
    const character = inside.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === "|") {
      from = at + 1;
      isFilter = true;
    }
  }
  const isName = /\[["'][^"'\]]*$/.test(inside);
  return quote === "" || isName ? { text: inside.slice(from), isFilter } : null;
}

/**
 * Names that start with it first, then names with a path segment that does, then names that contain
 * it. Ties prefer the shorter path (for `typ`, `type` before `data.object.type`), then the original
 * order.
 */
function rank(known: readonly Suggestion[], typed: string): readonly Suggestion[] {
  if (typed === "") return known.slice(0, maxSuggestions);
  const wanted = typed.toLowerCase();
  return known
    .map((suggestion) => ({ suggestion, place: placeOf(suggestion.label.toLowerCase(), wanted) }))
    .filter(({ place }) => place < 3)
    .toSorted((a, b) => a.place - b.place || depth(a.suggestion.label) - depth(b.suggestion.label))
    .slice(0, maxSuggestions)
    .map(({ suggestion }) => suggestion);
}

function placeOf(label: string, wanted: string): number {
  if (label.startsWith(wanted)) return 0;
  if (label.includes(`.${wanted}`) || label.includes(`["${wanted}`)) return 1;
  return label.includes(wanted) ? 2 : 3;
}

function depth(label: string): number {
  return label.split(/[.[]/u).length;
}

function forPlace(text: string, place: "text" | "json"): string {
  return place === "json" ? JSON.stringify(text).slice(1, -1) : text;
}
