import type { Codec } from "#components/ui/form/codec.ts";
import { describeSpan } from "#lib/schema/field/describe-span.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import { splitPaths } from "#lib/schema/field/value-path.ts";

/**
 * The source of an event's id or type, as form fields. Several names are separated by commas. The
 * name of a segment of the path is its number.
 */
export type SourceRow = {
  readonly from: Part["from"] | "all";
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
  | { readonly from: "query"; readonly name: string }
  | { readonly from: "path"; readonly segment: number }
  | { readonly from: "event" }
  | { readonly from: "content"; readonly except?: readonly string[] | undefined }
  | { readonly from: "request" };
type Source = (Part | { readonly from: "all"; readonly of: readonly Part[] }) & {
  readonly withinSeconds?: number | undefined;
};
export type StoredRule = Source | readonly Source[] | null;

/** `usual` is the provider's default, which is sent as it is. */
export function sourceRule(usual: StoredRule): Codec<StoredRule, SourceRule> {
  return {
    text: (stored) => toSourceRule(stored, usual),
    read: (rule) => toStoredRule(rule, usual),
  };
}

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
  return from === "all" ? { from, of: splitPaths(name).map(toPart) } : toPlain(from, name);
}

function toPlain(from: Part["from"], name: string): Part {
  switch (from) {
    case "body":
      return { from, path: name };
    case "header":
    case "query":
      return { from, name };
    case "path":
      return { from, segment: Number(name === "" ? Number.NaN : name) };
    case "content":
      return toContent(splitPaths(name));
    case "event":
    case "request":
      return { from };
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

const marks = { header: "header:", query: "query:", path: "path:" } as const;
const eventMark = "event id";
const requestMark = "whole request";
const contentMark = "whole body";
const exceptMark = " without ";

function toPart(text: string): Part {
  if (text === contentMark || text.startsWith(contentMark + exceptMark))
    return toContent(listExcepted(text.slice(contentMark.length)));
  if (text === eventMark) return { from: "event" };
  if (text === requestMark) return { from: "request" };
  for (const from of ["header", "query", "path"] as const)
    if (text.startsWith(marks[from])) return toPlain(from, text.slice(marks[from].length).trim());
  return { from: "body", path: text };
}

function toRows(rule: StoredRule): readonly SourceRow[] {
  return listSources(rule).map(({ withinSeconds, ...source }) => {
    const row = { from: source.from, name: toName(source) };
    return withinSeconds === undefined ? row : { ...row, withinSeconds };
  });
}

function toName(source: Source): string {
  return source.from === "all" ? source.of.map(toMarked).join(", ") : nameOf(source);
}

function nameOf(part: Part): string {
  switch (part.from) {
    case "body":
      return part.path;
    case "header":
    case "query":
      return part.name;
    case "path":
      return String(part.segment);
    case "content":
      return (part.except ?? []).join(", ");
    case "event":
    case "request":
      return "";
    default:
      return part satisfies never;
  }
}

function toMarked(part: Part): string {
  switch (part.from) {
    case "body":
      return part.path;
    case "content":
      return [contentMark, ...(part.except ?? [])].join(exceptMark);
    case "event":
      return eventMark;
    case "request":
      return requestMark;
    default:
      return `${marks[part.from]}${nameOf(part)}`;
  }
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
  return withinSeconds === undefined ? place : `${place}, within ${describeSpan(withinSeconds)}`;
}

function describePart(part: Part): string {
  switch (part.from) {
    case "content":
      return part.except === undefined
        ? "a hash of the whole body"
        : `a hash of the body without ${part.except.join(" and ")}`;
    case "request":
      return "a hash of the whole request";
    case "event":
      return "the id of an event";
    case "header":
      return `the header ${part.name}`;
    case "query":
      return `the query parameter ${part.name}`;
    case "path":
      return `segment ${part.segment} of the path`;
    default:
      return `the body's field ${part.path}`;
  }
}
