import { describeCount } from "#components/ui/text/describe-count.ts";
import { splitPaths } from "#lib/schema/field/value-path.ts";
import { listSources } from "#lib/schema/list-sources.ts";

/** The source of an event's id or type, as form fields. Several names are separated by commas. */
export type SourceRow = {
  readonly from: "body" | "header" | "content" | "all";
  readonly name: string;
  /** This form can't edit the value, so it is kept. */
  readonly withinSeconds?: number | undefined;
};
export type SourceRule = {
  readonly mode: "default" | "own" | "none";
  readonly rows: readonly SourceRow[];
};

type Part =
  | { readonly from: "body"; readonly path: string }
  | { readonly from: "header"; readonly name: string }
  | { readonly from: "content"; readonly except?: readonly string[] | undefined };
type Source = (Part | { readonly from: "all"; readonly of: readonly Part[] }) & {
  readonly withinSeconds?: number | undefined;
};
export type StoredRule = Source | readonly Source[] | null;

/** `usual` is the provider's default. A rule equal to it follows the default. */
export function toSourceRule(stored: StoredRule, usual: StoredRule): SourceRule {
  const rows = toRows(stored ?? usual);
  const shown = rows.length === 0 ? [{ from: "body" as const, name: "" }] : rows;
  if (sameRule(stored, usual)) return { mode: "default", rows: shown };
  return { mode: stored === null ? "none" : "own", rows: shown };
}

/** The rule as API input. */
export function toStoredRule({ mode, rows }: SourceRule, usual: StoredRule): StoredRule {
  if (mode === "default") return usual;
  if (mode === "none") return null;
  const sources = rows.map(toSource);
  const [first] = sources;
  return sources.length === 1 && first !== undefined ? first : sources;
}

function toSource({ from, name, withinSeconds }: SourceRow): Source {
  const source = toPlace(from, name.trim());
  return withinSeconds === undefined ? source : { ...source, withinSeconds };
}

function toPlace(from: SourceRow["from"], name: string): Source {
  switch (from) {
    case "body":
      return { from, path: name };
    case "header":
      return { from, name };
    case "content":
      return toContent(splitPaths(name));
    case "all":
      return { from, of: splitPaths(name).map(toPart) };
    default:
      return from satisfies never;
  }
}

function toContent(except: readonly string[]): Part {
  return except.length === 0 ? { from: "content" } : { from: "content", except };
}

function listExcepted(text: string): readonly string[] {
  return text
    .split(exceptMark)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

const headerMark = "header:";
const contentMark = "whole body";
const exceptMark = " without ";

function toPart(text: string): Part {
  if (text === contentMark || text.startsWith(contentMark + exceptMark))
    return toContent(listExcepted(text.slice(contentMark.length)));
  if (text.startsWith(headerMark))
    return { from: "header", name: text.slice(headerMark.length).trim() };
  return { from: "body", path: text };
}

function toRows(rule: StoredRule): readonly SourceRow[] {
  return listSources(rule).map(({ withinSeconds, ...source }) => {
    const row = { from: source.from, name: toName(source) };
    return withinSeconds === undefined ? row : { ...row, withinSeconds };
  });
}

function toName(source: Source): string {
  if (source.from === "all") return source.of.map(toMarked).join(", ");
  if (source.from === "content") return (source.except ?? []).join(", ");
  return source.from === "body" ? source.path : source.name;
}

function toMarked(part: Part): string {
  if (part.from === "content") return [contentMark, ...(part.except ?? [])].join(exceptMark);
  return part.from === "body" ? part.path : `${headerMark}${part.name}`;
}

function sameRule(one: StoredRule, other: StoredRule): boolean {
  return JSON.stringify(toRows(one)) === JSON.stringify(toRows(other));
}

/** Describes a rule as "the field id of the body, else the header x-id". */
export function describeRule(rule: StoredRule): string {
  const parts = toRows(rule).map(describeRow);
  return parts.length === 0 ? "nothing" : parts.join(", else ");
}

function describeRow({ from, name, withinSeconds }: SourceRow): string {
  const place =
    from === "all"
      ? splitPaths(name).map(toPart).map(describePart).join(" and ")
      : describePart(toPlain(from, name));
  return withinSeconds === undefined ? place : `${place}, within ${describeSeconds(withinSeconds)}`;
}

function toPlain(from: "body" | "header" | "content", name: string): Part {
  if (from === "content") return toContent(splitPaths(name));
  return from === "body" ? { from, path: name } : { from, name };
}

function describePart(part: Part): string {
  if (part.from === "content")
    return part.except === undefined
      ? "a hash of the whole body"
      : `a hash of the body without ${part.except.join(" and ")}`;
  return part.from === "body" ? `the body's field ${part.path}` : `the header ${part.name}`;
}

/** Writes seconds in a larger unit: 86,400 are "24 hours". */
function describeSeconds(seconds: number): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, "hour"]
      : seconds % 60 === 0
        ? [seconds / 60, "minute"]
        : [seconds, "second"];
  return describeCount(count, unit);
}
