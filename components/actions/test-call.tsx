"use client";

import { useState } from "react";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { HeaderList } from "#components/ui/layout/header-list.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeDuration } from "#components/ui/text/describe-size.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeCallError } from "./describe-call-error.ts";

/** The result of a test call: see `lib/web/services/send-draft.ts`. */
export type TestCallView = {
  readonly durationMs: number;
  readonly answer: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
    readonly isCut: boolean;
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly skippedBecause: string | null;
};

type TestCallProps = {
  readonly method: string;
  /** The request that would be sent; null: nothing can be sent yet. */
  readonly url: string | null;
  readonly send: () => Promise<CommandResult<TestCallView>>;
};

const maxChars = 20_000;

/** Sends the draft's request once and shows the response. */
export function TestCall({ method, url, send }: TestCallProps) {
  const [call, setCall] = useState<TestCallView>();

  async function run(): Promise<CommandResult<TestCallView>> {
    setCall(undefined);
    const result = await send();
    if (result.ok) setCall(result.value);
    return result;
  }

  const isSafe = method === "GET" || method === "HEAD";
  const host = url === null ? "" : (URL.parse(url)?.host ?? url);
  return (
    <div
      data-commands="test call action"
      className="grid min-w-0 grid-cols-1 justify-items-start gap-3"
    >
      {url === null || isSafe ? (
        <CommandButton look="secondary" disabled={url === null} run={run}>
          Send request
        </CommandButton>
      ) : (
        <ConfirmButton
          label="Send request"
          look="secondary"
          title={`Send a live request to ${safeText(host)}?`}
          keepLabel="Don't send"
          confirmLabel={`Send ${method} request`}
          run={run}
        >
          <p className="break-all">
            {method} {safeText(url)}
          </p>
          <p>
            The receiver processes it like any other request. It is sent once, without retries, and
            isn’t listed under runs. It has a test Idempotency-Key.
          </p>
        </ConfirmButton>
      )}
      <div aria-live="polite" className="grid w-full min-w-0 grid-cols-1 gap-3 empty:hidden">
        {call !== undefined && (
          <section aria-label="Response" className="grid min-w-0 grid-cols-1 gap-3 border-b pb-4">
            <h3 className="text-sm font-medium">Response</h3>
            <Answer call={call} />
          </section>
        )}
      </div>
    </div>
  );
}

function Answer({ call: { answer, error, durationMs, skippedBecause } }: { call: TestCallView }) {
  const isGood = error === null && answer !== null && answer.status >= 200 && answer.status < 300;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className={isGood ? "font-medium text-positive" : "font-medium text-negative"}>
          {answer === null ? "No response" : `HTTP ${answer.status}`}
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
      {answer !== null && (
        <>
          <HeaderList headers={answer.headers.slice(0, 100)} />
          {answer.body === "" ? (
            <p className="text-sm text-muted-foreground">The response has no body.</p>
          ) : (
            <TextBlock
              label="Response body"
              text={answer.body.slice(0, maxChars)}
              cutNote={
                answer.isCut || answer.body.length > maxChars
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
