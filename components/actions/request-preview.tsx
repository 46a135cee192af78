import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { HeaderList } from "#components/ui/layout/header-list.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { FilterVerdictView } from "./draft/filter-draft.ts";

/** See `lib/web/services/preview-draft.ts`. */
export type RequestPreviewView = {
  readonly code: string | null;
  readonly errors: readonly FieldError[];
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly rawHeaders: readonly (readonly [string, string])[];
    readonly body: string | null;
    readonly bodyEncoding: "utf8" | "base64";
  } | null;
  /** What each template field renders to, by path. */
  readonly resolved: Readonly<Record<string, string>>;
  readonly verdict: FilterVerdictView | null;
};

const titles: Readonly<Record<string, string>> = {
  mapping_failed: "This delivery is missing some fields",
  mapping_too_slow: "Mapping timed out",
  template_invalid: "Invalid template",
  url_invalid: "Invalid URL",
  blocked: "Address not allowed",
  header_invalid: "Invalid header",
  body_invalid: "Invalid body",
  loop: "This would loop forever",
};

/** Ready to send, filtered out, or not possible. */
export function PreviewBadge({ preview }: { preview: RequestPreviewView }) {
  if (preview.code !== null) return <Badge tone="negative">Can't be sent</Badge>;
  if (preview.verdict?.matches === false)
    return <Badge tone="caution">Skipped by the filter</Badge>;
  return <Badge tone="positive">Ready to send</Badge>;
}

/** The exact request that would be sent, or why none would be. */
export function RequestPreview({ preview }: { preview: RequestPreviewView }) {
  const { code, errors, request } = preview;
  return (
    <div className="grid grid-cols-1 gap-3">
      {code !== null && (
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
          <p className="font-mono text-xs break-all">
            <span className="font-semibold">{request.method}</span> {safeText(request.url)}
          </p>
          <HeaderList headers={request.rawHeaders.map(showIdempotencyKey)} />
          {request.body !== null && (
            <TextBlock
              label="Request body"
              text={request.body.slice(0, maxChars)}
              cutNote={noteOnBody(request)}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Only known once there is a run. */
function showIdempotencyKey([name, value]: readonly [string, string]): readonly [string, string] {
  return name === "Idempotency-Key"
    ? [name, "(the run's id, the same on every attempt)"]
    : [name, value];
}

function noteOnBody({
  body,
  bodyEncoding,
}: NonNullable<RequestPreviewView["request"]>): string | null {
  const notes = [
    bodyEncoding === "base64" &&
      "The body is binary. It is sent as these bytes, shown here in base64.",
    body !== null && body.length > maxChars && "Only the beginning is shown.",
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : notes.join(" ");
}

const maxChars = 20_000;
