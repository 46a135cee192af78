import { typeOfParts } from "#lib/core/mapping/encode/check-body-type.ts";
import { placeOfType } from "#lib/core/mapping/encode/place.ts";
import type { Encoded } from "#lib/core/mapping/encode/text-part.ts";
import { type RenderInput, renderText } from "#lib/core/mapping/template/render-template.ts";
import { maxValueChars, renderValue, writeValue } from "#lib/core/mapping/template/render-value.ts";
import { buildMultipart } from "./build-multipart.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import { encodeForm } from "./encode-form.ts";
import type { ProblemList } from "./problem-list.ts";

type BuiltBody = {
  readonly bytes: Uint8Array;
  /** The content type if the action sets none. */
  readonly contentType: string | null;
};

/**
 * `body` becomes JSON, or what else the action's content type says of it: a form, or JSON lines.
 * `bodyText` is rendered for its content type (`placeOfType`), and otherwise inserted unchanged.
 * `multipart` becomes a form with files. `forward` sends the delivery's own bytes. Null: no body.
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
  if (request.multipart !== undefined) {
    if (contentType !== null) problems.add("header_invalid", "headers.Content-Type", [typeOfParts]);
    return buildMultipart(request.multipart, auth, render, problems);
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
  const encoded = encodeValue(value, contentType, render);
  if (encoded.ok)
    return { bytes: new TextEncoder().encode(encoded.text), contentType: "application/json" };
  problems.add("body_invalid", "body", [encoded.message]);
  return null;
}

function encodeValue(value: unknown, contentType: string | null, render: RenderInput): Encoded {
  switch (placeOfType(contentType)) {
    case "form":
      return encodeForm(value, maxValueChars(render));
    case "jsonLines":
      return writeEach(value, "", render);
    case "jsonSequence":
      return writeEach(value, "\x1e", render);
    default:
      return writeValue(value, render);
  }
}

/** Each item of a list, or the value by itself, on a line that begins with `mark`. */
function writeEach(value: unknown, mark: string, render: RenderInput): Encoded {
  const maxChars = maxValueChars(render);
  let text = "";
  for (const item of Array.isArray(value) ? value : [value]) {
    const written = writeValue(item, render);
    if (!written.ok) return written;
    text += `${mark}${written.text}\n`;
    if (text.length > maxChars)
      return { ok: false, message: `is longer than ${maxChars} characters` };
  }
  return { ok: true, text };
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
  const rendered = renderText(source, placeOfType(contentType), render);
  if (rendered.ok)
    return {
      bytes: new TextEncoder().encode(rendered.text),
      contentType: "text/plain; charset=utf-8",
    };
  const code = rendered.code === "missing" ? "mapping_failed" : "body_invalid";
  problems.addFailure(code, at, rendered);
  return null;
}
