import { FieldErrors } from "./field-errors.tsx";
import type { FilterVerdictView } from "./filter-draft.ts";
import { HeaderList } from "./header-list.tsx";
import { TextBlock } from "./text-block.tsx";
import { Badge } from "./ui/badge.tsx";
import { safeText } from "./ui/safe-text.ts";

/** See `lib/web/preview-draft.ts`. */
export type RequestPreviewView = {
  readonly code: string | null;
  readonly errors: readonly {
    readonly path: string;
    readonly message: string;
    readonly line?: number;
    readonly column?: number;
  }[];
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly rawHeaders: readonly (readonly [string, string])[];
    readonly body: string | null;
  } | null;
  readonly verdict: FilterVerdictView | null;
};

const titles: Readonly<Record<string, string>> = {
  mapping_failed: "Some names are not in this delivery",
  template_invalid: "A template does not parse",
  url_invalid: "The URL can't be called",
  blocked: "This address may not be called",
  header_invalid: "A header can't be sent",
  body_invalid: "The body can't be made",
  loop: "This would go round for ever",
};

/** In one look: sent, left out by the filter, or not possible. */
export function PreviewBadge({ preview }: { preview: RequestPreviewView }) {
  if (preview.code !== null) return <Badge tone="negative">Would not be sent</Badge>;
  if (preview.verdict?.matches === false) return <Badge tone="caution">Left out by the filter</Badge>;
  return <Badge tone="positive">Would be sent</Badge>;
}

/** The exact request that would be sent, or why there would be none. */
export function RequestPreview({ preview }: { preview: RequestPreviewView }) {
  const { code, errors, request } = preview;
  return (
    <div className="grid grid-cols-1 gap-3">
      {code !== null && (
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">{titles[code] ?? "This can't be sent"}</p>
          <FieldErrors
            errors={errors.map(({ path, message }) => `${path.replace(/^request\./, "")}: ${message}`)}
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
              label="Body of the request"
              text={request.body.slice(0, mostChars)}
              cutNote={request.body.length > mostChars ? "Only the beginning is shown here." : null}
            />
          )}
        </>
      )}
    </div>
  );
}

/** It is known when there is a run. */
function showIdempotencyKey([name, value]: readonly [string, string]): readonly [string, string] {
  return name === "Idempotency-Key" ? [name, "(the run's id, the same on every try)"] : [name, value];
}

const mostChars = 20_000;
