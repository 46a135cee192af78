import { HeaderList } from "./header-list.tsx";
import { FieldErrors } from "./template-field.tsx";
import { TextBlock } from "./text-block.tsx";
import { Badge } from "./ui/badge.tsx";
import { safeText } from "./ui/safe-text.ts";

export type RequestPreviewView = {
  readonly ok: boolean;
  readonly code?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly rawHeaders: readonly (readonly [string, string])[];
    readonly body: string | null;
  };
};

const titles: Readonly<Record<string, string>> = {
  mapping_failed: "Some names are not in this delivery",
  template_invalid: "A template does not parse",
  filter_not_matched: "The action's filter leaves this delivery out",
  url_invalid: "The URL can't be called",
};

/** The exact request that would be sent, or why there would be none. */
export function RequestPreview({
  preview,
  problem,
}: {
  preview: RequestPreviewView | null;
  problem: string | null;
}) {
  if (problem !== null) return <p className="text-sm text-muted-foreground">{problem}</p>;
  if (preview === null) return <p className="text-sm text-muted-foreground">Working it out…</p>;
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {preview.ok ? (
          <Badge tone="positive">Would be sent</Badge>
        ) : (
          <Badge tone="negative">Would not be sent</Badge>
        )}
      </div>
      {!preview.ok && (
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">{titles[preview.code ?? ""] ?? "This can't be sent"}</p>
          <FieldErrors
            errors={(preview.errors ?? []).map(
              ({ path, message }) => `${path.replace(/^request\./, "")}: ${message}`,
            )}
          />
        </div>
      )}
      {preview.request !== undefined && (
        <>
          <p className="font-mono text-xs break-all">
            <span className="font-semibold">{preview.request.method}</span> {safeText(preview.request.url)}
          </p>
          <HeaderList headers={preview.request.rawHeaders} />
          {preview.request.body !== null && (
            <TextBlock
              label="Body of the request"
              text={preview.request.body.slice(0, mostChars)}
              cutNote={preview.request.body.length > mostChars ? "Only the beginning is shown here." : null}
            />
          )}
        </>
      )}
    </div>
  );
}

const mostChars = 20_000;
