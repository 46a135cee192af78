import type { Pair } from "#components/ui/form/pairs.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import type { PartDraft, RequestDraft } from "./request-draft.ts";

type AddedField = {
  readonly change: Partial<RequestDraft>;
  /** A message for the user about what was added and where. */
  readonly message: string;
};

/**
 * Adds a payload field picked with no cursor in the request: to the body under its own name, as
 * `name: {{ path }}`, or to the query of a method without a body. Null if the body can't hold a
 * named field.
 */
export function addToRequest(draft: RequestDraft, path: string): AddedField | null {
  const name = nameOf(path);
  const value = `{{ ${path} }}`;
  if (draft.method === "GET" || draft.method === "HEAD") {
    const query = addPair(draft.query, name, value);
    return { change: { query: query.pairs }, message: describeAdded(query.name, "query") };
  }
  switch (draft.bodyMode) {
    case "none":
    case "fields": {
      const rows = addPair(draft.bodyMode === "none" ? [] : draft.bodyFields, name, value);
      return {
        change: { bodyMode: "fields", bodyFields: rows.pairs },
        message: describeAdded(rows.name, "body"),
      };
    }
    case "multipart": {
      const named = addPair(draft.parts.map(toOpenPair), name, value);
      const parts = named.pairs.map((pair, at) => ({
        ...(draft.parts[at] ?? { kind: "field" as const, fileName: "", contentType: "" }),
        ...pair,
        value: draft.parts[at]?.kind === "delivery" ? "" : pair.value,
      }));
      return { change: { parts }, message: describeAdded(named.name, "body") };
    }
    case "json":
      return addToJson(draft.bodyJson, name, value);
    case "text":
    case "forward":
      return null;
    default:
      return draft.bodyMode satisfies never;
  }
}

/** The place to which `addToRequest` adds. Null: it can't add anything. */
export function nameAddPlace({ method, bodyMode, bodyJson }: RequestDraft): string | null {
  if (method === "GET" || method === "HEAD") return "Query";
  if (bodyMode === "text" || bodyMode === "forward") return null;
  return bodyMode === "json" && addToJson(bodyJson, "", "") === null ? null : "Body";
}

/** `data.object["e-mail"]` → `e-mail`, `data.items[0]` → `items`. */
function nameOf(path: string): string {
  const quoted = /\[("(?:[^"\\]|\\.)*")\](?:\[\d+\])*$/su.exec(path)?.[1];
  if (quoted !== undefined) return String(JSON.parse(quoted));
  return path.replace(/(?:\[\d+\])+$/u, "").replace(/^.*[.\]]/su, "") || "value";
}

/** The file of the delivery's bytes has no value to fill. */
function toOpenPair({ key, kind, name, value }: PartDraft): Pair {
  return { key, name, value: kind === "delivery" ? "delivery" : value };
}

/** Fills a row that has a name and no value. */
function addPair(
  pairs: readonly Pair[],
  wanted: string,
  value: string,
): { readonly pairs: readonly Pair[]; readonly name: string } {
  const name = unused(
    wanted,
    pairs.map((pair) => pair.name),
  );
  const open = pairs.find((pair) => pair.value === "");
  if (open !== undefined) {
    const filled = { ...open, name: open.name === "" ? name : open.name, value };
    return { pairs: pairs.map((pair) => (pair === open ? filled : pair)), name: filled.name };
  }
  const key = Math.max(-1, ...pairs.map((pair) => pair.key)) + 1;
  return { pairs: [...pairs, { key, name, value }], name };
}

/** Adds it after the last entry of an object, so that the typed text stays unchanged. */
function addToJson(json: string, wanted: string, value: string): AddedField | null {
  const object = json.trim() === "" ? "{}" : json.trimEnd();
  const parsed = parseExactJson(object);
  if (!parsed.ok) return null;
  const content = parsed.value;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return null;
  if (content instanceof ExactNumber) return null;
  const names = Object.keys(content);
  const name = unused(wanted, names);
  const before = object.slice(0, -1).trimEnd();
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const bodyJson = `${before}${names.length === 0 ? "" : ","}\n  ${entry}\n}`;
  return { change: { bodyJson }, message: describeAdded(name, "body") };
}

function unused(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

function describeAdded(name: string, place: string): string {
  return `Added ${name} to the ${place}.`;
}
