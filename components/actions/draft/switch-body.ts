import type { Pair } from "#components/ui/form/pairs.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import type { BodyMode, RequestDraft } from "./request-draft.ts";

type SwitchedBody =
  | { readonly ok: true; readonly change: Partial<RequestDraft> }
  /** The reason why the body can't be switched. */
  | { readonly ok: false; readonly message: string };

/**
 * Converts the body to another format. Rows become JSON, and a flat JSON object of strings becomes
 * rows; other JSON would lose something and is rejected. Text is sent as typed, so its Content-Type
 * is set too.
 */
export function switchBody(draft: RequestDraft, mode: BodyMode): SwitchedBody {
  const from = draft.bodyMode;
  if (mode === from) return { ok: true, change: {} };
  if (mode === "none" || mode === "forward") return { ok: true, change: { bodyMode: mode } };
  if (from === "multipart" && draft.parts.some(({ kind }) => kind !== "field"))
    return { ok: false, message: "This body can't contain a file. Remove the file first." };
  const names = from === "multipart" ? draft.parts.map(({ name }) => name).filter(Boolean) : [];
  if (new Set(names).size < names.length)
    return { ok: false, message: "Two fields have the same name, which only multipart can send." };
  const json = toJson(draft);
  switch (mode) {
    case "multipart":
      return toParts(draft, json);
    case "json":
      return { ok: true, change: { bodyMode: mode, ...(json === null ? {} : { bodyJson: json }) } };
    case "text":
      if (from === "none" || from === "forward") return { ok: true, change: { bodyMode: mode } };
      return {
        ok: true,
        change: { bodyMode: mode, bodyText: json ?? "", ...withContentType(draft) },
      };
    case "fields":
      return toRows(draft, json);
    default:
      return mode satisfies never;
  }
}

/** The current body as JSON text; null if there is none. */
function toJson({ bodyMode, bodyFields, bodyJson, bodyText, parts }: RequestDraft): string | null {
  if (bodyMode === "json") return bodyJson;
  if (bodyMode === "text") return bodyText;
  const rows = bodyMode === "multipart" ? parts : bodyFields;
  const filled = rows.filter(({ name, value }) => name !== "" || value !== "");
  if (bodyMode === "none" || bodyMode === "forward" || filled.length === 0) return null;
  return JSON.stringify(
    Object.fromEntries(filled.map(({ name, value }) => [name, value])),
    null,
    2,
  );
}

function toRows({ bodyMode }: RequestDraft, json: string | null): SwitchedBody {
  if (bodyMode === "none" || bodyMode === "forward")
    return { ok: true, change: { bodyMode: "fields" } };
  if (json === null || json.trim() === "")
    return { ok: true, change: { bodyMode: "fields", bodyFields: oneRow } };
  const parsed = parseExactJson(json);
  if (!parsed.ok)
    return { ok: false, message: "This isn't valid JSON yet, so it can't be shown as rows." };
  const { value } = parsed;
  if (
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    value instanceof ExactNumber
  )
    return { ok: false, message: "Only an object { … } can be shown as rows." };
  const entries = Object.entries(value);
  const odd = entries.find(([, item]) => typeof item !== "string");
  if (odd !== undefined) {
    const [name] = odd;
    return {
      ok: false,
      message: `"${name}" isn't text. Rows can only contain text and templates, so the body stays JSON.`,
    };
  }
  const bodyFields = entries.map(([name, item], key): Pair => ({ key, name, value: String(item) }));
  return { ok: true, change: { bodyMode: "fields", bodyFields } };
}

/** Rows become fields. The parts set the Content-Type, with their boundary. */
function toParts(draft: RequestDraft, json: string | null): SwitchedBody {
  const headers = draft.headers.filter(({ name }) => name.toLowerCase() !== "content-type");
  const change = { bodyMode: "multipart", headers } as const;
  if (json === null || json.trim() === "") return { ok: true, change };
  const rows = toRows(draft, json);
  if (!rows.ok) return rows;
  const parts = (rows.change.bodyFields ?? oneRow).map((row) => ({
    ...{ key: row.key, kind: "field" as const, name: row.name, value: row.value },
    ...{ fileName: "", contentType: "" },
  }));
  return { ok: true, change: { ...change, parts } };
}

const oneRow: readonly Pair[] = [{ key: 0, name: "", value: "" }];

function withContentType({ headers }: RequestDraft): Partial<RequestDraft> {
  if (headers.some(({ name }) => name.toLowerCase() === "content-type")) return {};
  const key = Math.max(-1, ...headers.map((pair) => pair.key)) + 1;
  return { headers: [...headers, { key, name: "Content-Type", value: "application/json" }] };
}
