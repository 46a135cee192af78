import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import type { Place } from "#lib/core/template/encode-parts.ts";
import { type RenderInput, renderText, renderValue } from "#lib/core/template/render-template.ts";
import type { ActionRequestTemplate } from "#lib/schema/action.ts";
import { ExactNumber } from "#lib/schema/json-value.ts";
import { encodeForm } from "./encode-form.ts";
import type { ProblemList } from "./problem-list.ts";

export type BuiltBody = {
  readonly bytes: Uint8Array;
  /** Used when the action sets none. */
  readonly contentType: string;
};

/**
 * `body` becomes JSON, or a form when the action's content type says so; `bodyText` is rendered for its content type:
 * JSON, form and XML encode the values in it, anything else takes them as they are. Null: no body.
 */
export function buildBody(
  request: ActionRequestTemplate,
  contentType: string | null,
  render: RenderInput,
  problems: ProblemList,
): BuiltBody | null {
  const kind = readKind(contentType);
  if (request.bodyText !== null) return buildTextBody(request.bodyText, kind, render, problems);
  if (request.body === null) return null;
  const errorsBefore = problems.errors.length;
  const value = mapStrings(request.body, "body", { render, problems });
  if (problems.errors.length > errorsBefore) return null;
  const maxChars = maxBodyChars(render);
  const encoded = kind === "form" ? encodeForm(value, maxChars) : stringifyExactJson(value, maxChars);
  if (encoded.ok) return { bytes: new TextEncoder().encode(encoded.text), contentType: "application/json" };
  problems.add("body_invalid", "body", [encoded.message]);
  return null;
}

function buildTextBody(
  source: string,
  kind: Place,
  render: RenderInput,
  problems: ProblemList,
): BuiltBody | null {
  const rendered = renderText(source, kind, render);
  if (rendered.ok)
    return { bytes: new TextEncoder().encode(rendered.text), contentType: "text/plain; charset=utf-8" };
  problems.add(
    rendered.code === "missing" ? "mapping_failed" : "body_invalid",
    "bodyText",
    rendered.messages,
  );
  return null;
}

/**
 * A worker takes runs by the size of what was delivered, so what is made of it may not be out of all proportion: ten kilobytes that are
 * named a thousand times were ten megabytes for each run. (Text that templates make is limited as it is.) Four times the payload is what its encoding as a form may take.
 */
function maxBodyChars({ context }: RenderInput): number {
  return Math.min(1024 * 1024 + 4 * context.payloadChars, 16 * 1024 * 1024);
}

function readKind(contentType: string | null): Place {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^(?:application|text)\/json$|\+json$/.test(type)) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  return /^(?:application|text)\/xml$|\+xml$|^text\/html$/.test(type) ? "xml" : "text";
}

type Walk = { readonly render: RenderInput; readonly problems: ProblemList };

/** The value with every string rendered; keys are no templates. Its depth was limited when it was saved. */
function mapStrings(value: unknown, at: string, walk: Walk): unknown {
  if (typeof value === "string") return mapString(value, at, walk);
  if (Array.isArray(value)) return value.map((item, index) => mapStrings(item, `${at}[${index}]`, walk));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  // fromEntries defines properties: a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item, `${at}.${key}`, walk)]),
  );
}

function mapString(source: string, at: string, { render, problems }: Walk): unknown {
  const rendered = renderValue(source, render);
  if (rendered.ok) return rendered.value;
  problems.add("mapping_failed", at, rendered.messages);
  return null;
}
