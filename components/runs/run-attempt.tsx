import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { nameStatus } from "#components/status/describe-response.ts";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { HeaderList } from "#components/ui/layout/header-list.tsx";
import { BodyBlock } from "#components/ui/text/body-block.tsx";
import { describeDuration } from "#components/ui/text/describe-duration.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { ExactTime } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

export type AttemptView = {
  readonly number: number;
  readonly startedAt: Date;
  /** Null: no call was made. */
  readonly durationMs: number | null;
  readonly request: MessageView | null;
  readonly response: MessageView | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly late: boolean;
};

export type MessageView = {
  readonly start: string;
  readonly status: number | null;
  readonly headers: readonly (readonly [string, string])[];
  /**
   * The request as a curl command, with credentials hidden. Null if a command line can't hold it.
   */
  readonly curl: string | null;
  readonly body: { readonly text: string; readonly isCut: boolean } | null;
};

type RunAttemptsProps = {
  readonly attempts: readonly AttemptView[];
  readonly nowMs: number;
  readonly className: string;
};

export function RunAttempts({ attempts, nowMs, className }: RunAttemptsProps) {
  return (
    <ul className={className}>
      {attempts.map((attempt) => (
        <RunAttempt
          key={`${attempt.number}-${attempt.startedAt.getTime()}`}
          attempt={attempt}
          nowMs={nowMs}
        />
      ))}
    </ul>
  );
}

type RunAttemptProps = {
  readonly attempt: AttemptView;
  readonly nowMs: number;
  readonly id?: string;
  /** Default: the number of the attempt. */
  readonly title?: string;
  /** Shown instead of the attempt's status. */
  readonly outcome?: ReactNode;
};

/** One attempt. Collapsed it shows the result, expanded the request and response. */
export function RunAttempt({ id, attempt, nowMs, title, outcome }: RunAttemptProps) {
  return (
    <li id={id} className="min-w-0 scroll-mt-4">
      <details className="group/attempt rounded-md border">
        <summary
          className={
            "flex cursor-pointer flex-wrap items-center gap-x-1.5 gap-y-0.5 rounded-md px-2.5 py-2 " +
            "sm:gap-x-2 sm:px-3 " +
            "marker:content-none hover:bg-muted [&::-webkit-details-marker]:hidden"
          }
        >
          <ChevronRight
            aria-hidden
            size={15}
            className="shrink-0 transition-transform group-open/attempt:rotate-90"
          />
          <span className="font-medium text-foreground">
            {title ?? `Attempt ${attempt.number}`}
          </span>
          {outcome ?? <Outcome attempt={attempt} />}
          <span className="ml-auto text-xs tabular-nums">
            {attempt.durationMs !== null && `${describeDuration(attempt.durationMs)} · `}
            <RelativeTime at={attempt.startedAt} nowMs={nowMs} />
          </span>
        </summary>
        <div className="grid grid-cols-1 gap-4 border-t p-3">
          <p>
            Started <ExactTime at={attempt.startedAt} />
          </p>
          {attempt.late && (
            <p>It ended after the run was taken over or canceled, and had no effect.</p>
          )}
          {attempt.error !== null && (
            <p className="break-words text-negative">{safeText(attempt.error.message)}</p>
          )}
          {attempt.request === null ? (
            <p>Nothing was sent.</p>
          ) : (
            <Message title="Request" message={attempt.request} />
          )}
          {attempt.response !== null && <Message title="Response" message={attempt.response} />}
        </div>
      </details>
    </li>
  );
}

function Outcome({ attempt: { response, error } }: { attempt: AttemptView }) {
  const status = response?.status;
  if (typeof status === "number") {
    const isGood = status >= 200 && status < 300;
    return <span className={isGood ? "text-positive" : "text-negative"}>{nameStatus(status)}</span>;
  }
  return <span className="text-negative">{error?.code.replaceAll("_", " ") ?? "no response"}</span>;
}

/** The first line, headers, and body of a request or response. */
export function Message({ title, message }: { title: string; message: MessageView }) {
  return (
    <section className="grid min-w-0 grid-cols-1 gap-2" aria-label={title}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-xs font-semibold text-foreground">{title}</h3>
        {message.curl !== null && (
          <CopyButton text={message.curl} what="as curl: request" label="Copy as curl" />
        )}
      </div>
      <p className="font-mono text-xs wrap-anywhere text-foreground">{safeText(message.start)}</p>
      <HeaderList headers={message.headers} />
      {message.body !== null && (
        <BodyBlock
          label={`${title} body`}
          text={message.body.text}
          cutNote={message.body.isCut ? "Only the beginning is shown." : null}
        />
      )}
    </section>
  );
}
