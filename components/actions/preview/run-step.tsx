"use client";

import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { HeaderList } from "#components/ui/layout/header-list.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeDuration } from "#components/ui/text/describe-duration.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { StepRunView } from "../draft/step-views.ts";

type RunStepProps = {
  /** The text of the button. */
  readonly label: string;
  readonly method: string;
  /** The URL of the request. Null: nothing can be sent yet. */
  readonly url: string | null;
  /** The previous result. */
  readonly call: StepRunView | null;
  readonly run: () => Promise<CommandResult<unknown>>;
};

const maxChars = 20_000;

/** Makes the call once and shows the response. */
export function RunStep({ label, method, url, call, run }: RunStepProps) {
  const isSafe = method === "GET" || method === "HEAD";
  const host = url === null ? "" : (URL.parse(url)?.host ?? url);
  return (
    <div
      data-commands="test call action"
      className="grid min-w-0 grid-cols-1 justify-items-start gap-3"
    >
      {url === null || isSafe ? (
        <CommandButton look="secondary" disabled={url === null} run={run}>
          {label}
        </CommandButton>
      ) : (
        <ConfirmButton
          label={label}
          look="secondary"
          title={`Send a live request to ${safeText(host)}?`}
          keepLabel="Don't send"
          confirmLabel={`Send ${method} request`}
          run={run}
        >
          <p className="wrap-anywhere">
            {method} {safeText(url)}
          </p>
          <p>
            The receiver processes it like any other request. It is sent once, without retries, and
            isn't listed under runs. It has a test Idempotency-Key.
          </p>
        </ConfirmButton>
      )}
      <div aria-live="polite" className="grid w-full min-w-0 grid-cols-1 gap-3 empty:hidden">
        {call !== null && (
          <section aria-label="Response" className="grid min-w-0 grid-cols-1 gap-3 border-b pb-4">
            <h3 className="text-sm font-medium">Response</h3>
            <StepResponse call={call} />
          </section>
        )}
      </div>
    </div>
  );
}

function StepResponse({
  call: { response, error, durationMs, skippedBecause },
}: {
  call: StepRunView;
}) {
  const isGood =
    error === null && response !== null && response.status >= 200 && response.status < 300;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className={isGood ? "font-medium text-positive" : "font-medium text-negative"}>
          {response === null ? "No response" : `HTTP ${response.status}`}
        </span>
        <span className="text-muted-foreground tabular-nums">
          after {describeDuration(durationMs)}
        </span>
      </p>
      {error !== null && (
        <div className="rounded-md bg-negative-ground px-3 py-2.5 text-sm text-negative">
          <p>{safeText(error.message)}</p>
          <p>{describeCallError(error.code)}</p>
        </div>
      )}
      {skippedBecause !== null && (
        <Notice tone="caution">
          It was sent, although the action's filter would skip this delivery:{" "}
          {safeText(skippedBecause)}.
        </Notice>
      )}
      {response !== null && (
        <>
          <HeaderList headers={response.headers.slice(0, 100)} />
          {response.body === "" ? (
            <p className="text-sm text-muted-foreground">The response has no body.</p>
          ) : (
            <TextBlock
              label="Response body"
              text={response.body.slice(0, maxChars)}
              cutNote={
                response.isCut || response.body.length > maxChars
                  ? "Only the beginning is shown."
                  : null
              }
            />
          )}
        </>
      )}
    </>
  );
}

/** Advice for a call without a response, by error code. */
function describeCallError(code: string): string {
  return hints[code] ?? "Try again. If it still fails, check the receiver.";
}

const hints: Readonly<Record<string, string>> = {
  blocked:
    "Actions can only call public addresses and standard ports. This protects the " +
    "server's own network. If this receiver is yours, start Catchment with its " +
    "network allowed, for example CATCHMENT_EGRESS_ALLOW=10.0.0.0/8.",
  self_call: "Choose another URL. An action that calls this server could loop forever.",
  invalid_request: "Check the URL and the headers.",
  dns: "Check the URL's host for typos.",
  connect:
    "Check the host and port, and that the receiver is running and allows connections from this server.",
  tls: "The receiver's certificate isn't valid for this host. Renew it, or use the host name it was issued for.",
  timeout:
    "Increase the timeout under “Limits and position”, or have the receiver respond before it processes the request.",
  reset: "The receiver closed the connection. Check its log.",
  protocol: "Check the port. The server there doesn't use HTTP.",
  credential: "Check the saved credential: its client id, secret, and token URL.",
  cancelled: "The server was stopping. Try again in a moment.",
};
