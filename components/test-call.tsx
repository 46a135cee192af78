"use client";

import { useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { describeCallError } from "./describe-call-error.ts";
import { HeaderList } from "./header-list.tsx";
import { TextBlock } from "./text-block.tsx";
import { CommandButton } from "./ui/command-button.tsx";
import { ConfirmButton } from "./ui/confirm-button.tsx";
import { describeDuration } from "./ui/describe-size.ts";
import { Notice } from "./ui/notice.tsx";
import { safeText } from "./ui/safe-text.ts";

/** A call that was made to try a draft: see `lib/web/send-draft.ts`. */
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
  /** Of the request as it would be sent; null: nothing can be sent yet. */
  readonly url: string | null;
  readonly send: () => Promise<CommandResult<TestCallView>>;
};

const mostChars = 20_000;

/** "Send it now": the call for real, once, and the answer beside it. */
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
    <div className="grid min-w-0 grid-cols-1 justify-items-start gap-3">
      {url === null || isSafe ? (
        <CommandButton look="secondary" disabled={url === null} run={run}>
          Send it now
        </CommandButton>
      ) : (
        <ConfirmButton
          label="Send it now"
          look="secondary"
          title={`Make this call to ${safeText(host)} for real?`}
          keepLabel="Don't send"
          confirmLabel={`Send ${method} request`}
          run={run}
        >
          <p className="break-all">
            {method} {safeText(url)}
          </p>
          <p>
            The receiver acts on it as on any other call. It is sent once, is not tried again, and is not
            among the runs; its Idempotency-Key is one of a test.
          </p>
        </ConfirmButton>
      )}
      <div aria-live="polite" className="grid w-full min-w-0 grid-cols-1 gap-3 empty:hidden">
        {call !== undefined && <Answer call={call} />}
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
          {answer === null ? "No answer" : `HTTP ${answer.status}`}
        </span>
        <span className="text-muted-foreground tabular-nums">after {describeDuration(durationMs)}</span>
      </p>
      {error !== null && (
        <div className="rounded-md bg-negative-ground px-3 py-2.5 text-sm text-negative">
          <p>{safeText(error.message)}</p>
          <p>{describeCallError(error.code)}</p>
        </div>
      )}
      {skippedBecause !== null && (
        <Notice tone="caution">
          It was sent all the same, though the action would leave this delivery out:{" "}
          {safeText(skippedBecause)}.
        </Notice>
      )}
      {answer !== null && (
        <>
          <HeaderList headers={answer.headers.slice(0, 100)} />
          {answer.body === "" ? (
            <p className="text-sm text-muted-foreground">The answer has no body.</p>
          ) : (
            <TextBlock
              label="Body of the answer"
              text={answer.body.slice(0, mostChars)}
              cutNote={
                answer.isCut || answer.body.length > mostChars ? "Only the beginning is shown here." : null
              }
            />
          )}
        </>
      )}
    </>
  );
}
