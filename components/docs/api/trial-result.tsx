import { Badge } from "#components/ui/status/badge.tsx";
import { BodyBlock } from "#components/ui/text/body-block.tsx";
import type { TrialResponse } from "./send-trial.ts";

/** The real response of a call. */
export function TrialResult({ response }: { response: TrialResponse }) {
  const { status, milliseconds, text, isCut } = response;
  return (
    <section aria-label="Real response" className="grid min-w-0 grid-cols-1 gap-2">
      <p className="flex flex-wrap items-baseline gap-2 text-sm">
        <Badge tone={status < 300 ? "positive" : "negative"}>{status}</Badge>
        <span className="text-muted-foreground">{milliseconds} ms</span>
      </p>
      {text === "" ? (
        <p className="text-sm text-muted-foreground">It has no body.</p>
      ) : (
        <BodyBlock
          key={text}
          label="Response body"
          text={text}
          startsPretty
          cutNote={isCut ? "Only the start is shown." : null}
        />
      )}
    </section>
  );
}
