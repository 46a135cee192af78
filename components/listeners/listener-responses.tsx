import { ChevronRight } from "lucide-react";
import { Message, type MessageView } from "#components/runs/run-attempt.tsx";
import { type Sign, Step } from "#components/ui/layout/timeline.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { describeDuration } from "#components/ui/text/describe-duration.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { ExactTime } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

export type ListenerResponseView = {
  readonly listenerId: string;
  /** Null: the listener has none. */
  readonly name: string | null;
  /** The email of a person, or the name of a token. */
  readonly owner: string;
  /** The machine, as it calls itself. */
  readonly host: string;
  readonly durationMs: number;
  readonly at: Date;
  readonly response: MessageView;
};

type ListenerResponsesProps = {
  /** Newest first. */
  readonly responses: readonly ListenerResponseView[];
  readonly nowMs: number;
};

/** The step of a delivery's history with what programs behind listeners responded. */
export function ListenerResponses({ responses, nowMs }: ListenerResponsesProps) {
  if (responses.length === 0) return null;
  return (
    <Step
      sign={signOf(responses)}
      title={`Heard by ${describeCount(responses.length, "listener")}`}
    >
      <ul className="grid gap-2">
        {responses.map((response) => (
          <Response key={response.listenerId} nowMs={nowMs} {...response} />
        ))}
      </ul>
    </Step>
  );
}

function signOf(responses: readonly ListenerResponseView[]): Sign {
  return responses.every(({ response }) => isGood(response)) ? "done" : "failed";
}

function isGood({ status }: MessageView): boolean {
  return status !== null && status < 400;
}

type ResponseProps = ListenerResponseView & { readonly nowMs: number };

/** Collapsed it shows the machine and the status, expanded the response. */
function Response({ name, owner, host, durationMs, at, response, nowMs }: ResponseProps) {
  return (
    <li className="min-w-0">
      <details className="group/response rounded-md border">
        <summary
          className={
            "flex cursor-pointer flex-wrap items-center gap-x-1.5 gap-y-0.5 rounded-md px-2.5 py-2 " +
            "marker:content-none hover:bg-muted sm:gap-x-2 sm:px-3 [&::-webkit-details-marker]:hidden"
          }
        >
          <ChevronRight
            aria-hidden
            size={15}
            className="shrink-0 transition-transform group-open/response:rotate-90"
          />
          <span className="min-w-0 font-medium break-words text-foreground">
            {safeText(name ?? host)}
          </span>
          <span className={isGood(response) ? "text-positive" : "text-negative"}>
            {response.start}
          </span>
          <span className="ml-auto text-xs tabular-nums">
            {describeDuration(durationMs)} · <RelativeTime at={at} nowMs={nowMs} />
          </span>
        </summary>
        <div className="grid grid-cols-1 gap-4 border-t p-3">
          <p className="break-words">
            {safeText(`On ${host}, for ${owner}`)}, <ExactTime at={at} />
          </p>
          <Message title="Response" message={response} />
        </div>
      </details>
    </li>
  );
}
