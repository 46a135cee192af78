import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { MultipartPart } from "#lib/schema/act/multipart.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";

export type RequestTemplate = {
  /** The path in the action's request, as in errors of `buildRequest`. */
  readonly path: string;
  readonly place: "url" | "header" | "query" | "body" | "bodyText" | "multipart";
  /** Name of the header, parameter, or nearest field. */
  readonly name: string | null;
  readonly source: string;
};

/** Every template of a step. Those of a call have their paths in its request. */
export function listStepTemplates(
  step: AnyStep,
): readonly Pick<RequestTemplate, "path" | "source">[] {
  if (step.kind === "call") return listTemplates(step.request);
  // Code has no templates. It is checked in a thread.
  if (step.kind === "transform") return [];
  const { key: _key, kind: _kind, when: _when, forEach: _list, onFailure: _branch, ...own } = step;
  return Object.entries(own).flatMap(([name, value]) => listStrings(value, name, name));
}

/** Every template of a request. */
export function listTemplates(request: ActionRequestTemplate): RequestTemplate[] {
  const { url, headers, query, body, bodyText, multipart = [] } = request;
  return [
    { path: "url", place: "url", name: null, source: url },
    ...listEntries(headers, "headers", "header"),
    ...listEntries(query, "query", "query"),
    ...(bodyText === null
      ? []
      : [{ path: "bodyText", place: "bodyText", name: null, source: bodyText } as const]),
    ...listStrings(body, "body", null),
    ...multipart.flatMap(listPartTemplates),
  ];
}

function listPartTemplates(part: MultipartPart, index: number): RequestTemplate[] {
  const { name, value, fileName, contentType } = part;
  const at = (field: string, source: string | null): RequestTemplate[] =>
    source === null || source === ""
      ? []
      : [{ path: `multipart.${index}.${field}`, place: "multipart", name: null, source }];
  return [
    ...at("name", name),
    ...at("value", value).map((template) => ({ ...template, name })),
    ...at("fileName", fileName),
    ...at("contentType", contentType),
  ];
}

function listEntries(
  entries: Readonly<Record<string, string>>,
  at: string,
  place: "header" | "query",
): RequestTemplate[] {
  return Object.entries(entries).map(([name, source]) => ({
    path: `${at}.${name}`,
    place,
    name,
    source,
  }));
}

function listStrings(value: unknown, path: string, name: string | null): RequestTemplate[] {
  if (typeof value === "string") return [{ path, place: "body", name, source: value }];
  if (Array.isArray(value))
    return value.flatMap((item, index) => listStrings(item, `${path}[${index}]`, name));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return [];
  return Object.entries(value).flatMap(([key, item]) => listStrings(item, `${path}.${key}`, key));
}
