import { Fragment } from "react";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { HeaderList } from "#components/ui/layout/header-list.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { BodyBlock } from "#components/ui/text/body-block.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { showMultipart } from "#lib/core/api/http/show-multipart.ts";
import type { StepPreviewView } from "../draft/step-views.ts";

const titles: Readonly<Record<string, string>> = {
  mapping_failed: "This delivery is missing some fields",
  mapping_too_slow: "Mapping timed out",
  template_invalid: "Invalid template",
  url_invalid: "Invalid URL",
  blocked: "Address not allowed",
  header_invalid: "Invalid header",
  body_invalid: "Invalid body",
  loop: "This would loop forever",
  step_failed: "An earlier step fails",
  list_invalid: "No list to go through",
  time_invalid: "Not a time",
  event_invalid: "Invalid event",
  event_too_large: "Event too large",
};

/** A badge: ready to send, filtered out, or not possible. */
export function PreviewBadge({ preview }: { preview: StepPreviewView }) {
  if (preview.verdict?.matches === false)
    return <Badge tone="caution">Skipped by the filter</Badge>;
  if (preview.code !== null) return <Badge tone="negative">Can't be sent</Badge>;
  if (preview.when?.matches === false) return <Badge tone="caution">Step skipped</Badge>;
  return <Badge tone="positive">Ready to send</Badge>;
}

/** The exact request that would be sent, or the reason why none would be. */
export function RequestPreview({ preview }: { preview: StepPreviewView }) {
  const { code, errors, request } = preview;
  const isSkipped = preview.verdict?.matches === false;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {isSkipped && (
        <p className="text-sm text-caution">
          The action's filter skips this delivery, so nothing is sent.
        </p>
      )}
      {code !== null && !isSkipped && (
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">{titles[code] ?? "This can't be sent"}</p>
          <FieldErrors
            errors={errors.map(
              ({ path, message }) => `${path.replace(/^request\./, "")}: ${message}`,
            )}
          />
        </div>
      )}
      {request !== null && (
        <>
          <p className="font-mono text-xs [overflow-wrap:anywhere]">
            <span className="font-semibold">{request.method}</span>{" "}
            <BreakableUrl url={safeText(request.url)} />
          </p>
          <HeaderList isNarrow headers={request.rawHeaders.map(showIdempotencyKey)} />
          {request.body !== null && (
            <BodyBlock
              startsPretty
              label="Request body"
              text={(showForm(request) ?? request.body).slice(0, maxChars)}
              cutNote={describeBody(request)}
            />
          )}
        </>
      )}
    </div>
  );
}

/** A URL that breaks before its parts, not within them. */
function BreakableUrl({ url }: { readonly url: string }) {
  const parts = url.split(/(?<=[^/])(?=[/?&])/);
  return [...parts.entries()].map(([at, part]) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** The key is only known once there is a run. */
function showIdempotencyKey([name, value]: readonly [string, string]): readonly [string, string] {
  return name === "Idempotency-Key"
    ? [name, "(the run's id, the same on every attempt)"]
    : [name, value];
}

type ShownRequest = NonNullable<StepPreviewView["request"]>;

/** Null: it isn't a multipart body with files that aren't text. */
function showForm({ body, bodyEncoding, rawHeaders }: ShownRequest): string | null {
  const [, type = ""] = rawHeaders.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  if (body === null || bodyEncoding !== "base64") return null;
  return showMultipart(
    Uint8Array.from(atob(body), (byte) => byte.charCodeAt(0)),
    type,
  );
}

function describeBody(request: ShownRequest): string | null {
  const { body, bodyEncoding } = request;
  const notes = [
    bodyEncoding === "base64" &&
      (showForm(request) === null
        ? "The body is binary. It is sent as these bytes, shown here in base64."
        : "Files are sent as their bytes."),
    body !== null && body.length > maxChars && "Only the beginning is shown.",
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : notes.join(" ");
}

const maxChars = 20_000;
