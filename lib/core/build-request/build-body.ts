import type { Place } from "#lib/core/template/encode-parts.ts";
import { type RenderInput, renderText } from "#lib/core/template/render-template.ts";
import { maxValueChars, renderValue, writeValue } from "#lib/core/template/render-value.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import { encodeForm } from "./encode-form.ts";
import type { ProblemList } from "./problem-list.ts";

type BuiltBody = {
  readonly bytes: Uint8Array;
  /** The content type if the action sets none. */
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
  if (request.bodyText !== null)
    return buildTextBody(request.bodyText, "bodyText", contentType, render, problems);
  if (request.body === null) return null;
  const errorsBefore = problems.errors.length;
  const mapped = renderValue(request.body, "body", render, (at, failure) =>
    problems.addFailure("mapping_failed", at, failure),
  );
  const value = auth?.type === "body" ? addField(mapped, auth.name, auth.value) : mapped;
  if (problems.errors.length > errorsBefore) return null;
  const isForm = readKind(contentType) === "form";
  const encoded = isForm ? encodeForm(value, maxValueChars(render)) : writeValue(value, render);
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

export function buildTextBody(
  source: string,
  at: string,
  contentType: string | null,
  render: RenderInput,
  problems: ProblemList,
): BuiltBody | null {
  const rendered = renderText(source, readKind(contentType), render);
  if (rendered.ok)
    return {
      bytes: new TextEncoder().encode(rendered.text),
      contentType: "text/plain; charset=utf-8",
    };
  const code = rendered.code === "missing" ? "mapping_failed" : "body_invalid";
  problems.addFailure(code, at, rendered);
  return null;
}

function readKind(contentType: string | null): Place {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^(?:application|text)\/json$|\+json$/.test(type)) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  return /^(?:application|text)\/xml$|\+xml$|^text\/html$/.test(type) ? "xml" : "text";
}
