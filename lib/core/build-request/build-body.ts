import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import type { Place } from "#lib/core/template/encode-parts.ts";
import { type RenderInput, renderText, renderValue } from "#lib/core/template/render-template.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import { encodeForm } from "./encode-form.ts";
import type { ProblemList } from "./problem-list.ts";

export type BuiltBody = {
  readonly bytes: Uint8Array;
  /** The default if the action sets none. */
  readonly contentType: string | null;
};

/**
 * `body` becomes JSON, or a form if the action's content type says so. `bodyText` is rendered for
 * its content type: values are encoded for JSON, forms, and XML, and otherwise inserted unchanged.
 * `forward` sends the delivery's own bytes. Null: no body.
 */
export function buildBody(
  { request, auth, context }: Pick<BuildRequestInput, "request" | "auth" | "context">,
  contentType: string | null,
  render: RenderInput,
  problems: ProblemList,
): BuiltBody | null {
  if (request.forward !== null) {
    const { body } = context.raw;
    return body.byteLength === 0 ? null : { bytes: body, contentType: null };
  }
  const kind = readKind(contentType);
  if (request.bodyText !== null) return buildTextBody(request.bodyText, kind, render, problems);
  if (request.body === null) return null;
  const errorsBefore = problems.errors.length;
  const mapped = mapStrings(request.body, "body", { render, problems });
  const value = auth?.type === "body" ? addField(mapped, auth.name, auth.value) : mapped;
  if (problems.errors.length > errorsBefore) return null;
  const maxChars = maxBodyChars(render);
  const encoded =
    kind === "form" ? encodeForm(value, maxChars) : stringifyExactJson(value, maxChars);
  if (encoded.ok)
    return { bytes: new TextEncoder().encode(encoded.text), contentType: "application/json" };
  problems.add("body_invalid", "body", [encoded.message]);
  return null;
}

/** Adds a credential to the rendered body, which is an object (checked on save). */
function addField(body: unknown, name: string, value: string): unknown {
  const entries = typeof body === "object" && body !== null ? Object.entries(body) : [];
  return Object.fromEntries([...entries, [name, value]]);
}

function buildTextBody(
  source: string,
  kind: Place,
  render: RenderInput,
  problems: ProblemList,
): BuiltBody | null {
  const rendered = renderText(source, kind, render);
  if (rendered.ok)
    return {
      bytes: new TextEncoder().encode(rendered.text),
      contentType: "text/plain; charset=utf-8",
    };
  const code = rendered.code === "missing" ? "mapping_failed" : "body_invalid";
  problems.addFailure(code, "bodyText", rendered);
  return null;
}

/**
 * Workers claim runs by payload size, so the body must stay in proportion: a template that uses 10
 * kB a thousand times would make 10 MB per run. Form encoding may take four times the payload.
 * (Rendered text has its own limit.)
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

/** Renders every string, but not keys. The depth was limited on save. */
function mapStrings(value: unknown, at: string, walk: Walk): unknown {
  if (typeof value === "string") return mapString(value, at, walk);
  if (Array.isArray(value))
    return value.map((item, index) => mapStrings(item, `${at}[${index}]`, walk));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  // fromEntries keeps `__proto__` as a normal key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item, `${at}.${key}`, walk)]),
  );
}

function mapString(source: string, at: string, { render, problems }: Walk): unknown {
  const rendered = renderValue(source, render);
  if (rendered.ok) return rendered.value;
  problems.addFailure("mapping_failed", at, rendered);
  return null;
}
