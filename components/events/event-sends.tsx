import { Timeline } from "#components/ui/layout/timeline.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { isEnded } from "#lib/schema/act/run-states.ts";
import { SendCounts } from "./send-counts.tsx";
import { type SendCommands, SendStep, type SendView } from "./send-step.tsx";

type EventSendsProps = SendCommands & {
  readonly type: string;
  readonly recipient: string | null;
  readonly counts: readonly { readonly status: RunStatus; readonly count: number }[];
  /** Sends, newest first. */
  readonly sends: readonly SendView[];
  readonly moreSends: number;
  readonly nowMs: number;
};

/** The sends of an event, with the response of each receiver. */
export function EventSends(props: EventSendsProps) {
  const { counts, sends, moreSends, nowMs, type, recipient, ...commands } = props;
  if (sends.length === 0)
    return (
      <EmptyState title="Nothing was sent">
        <p>
          No active subscription {recipient === null ? "without a recipient" : "of this recipient"}{" "}
          got {type} when it was published.
        </p>
        <NextLink
          href={`/subscriptions/new${recipient === null ? "" : `?recipient=${encodeURIComponent(recipient)}`}`}
        >
          Create subscription
        </NextLink>
      </EmptyState>
    );
  return (
    <div className="grid grid-cols-1 gap-5">
      <Progress counts={counts} />
      <Timeline>
        {sends.map((send) => (
          <SendStep key={send.id} send={send} nowMs={nowMs} {...commands} />
        ))}
      </Timeline>
      {moreSends > 0 && (
        <p className="text-sm text-muted-foreground">
          {describeCount(moreSends, "earlier send isn't", "earlier sends aren't")} shown here.
        </p>
      )}
    </div>
  );
}

/** A progress bar while some sends are still waiting. */
function Progress({ counts }: Pick<EventSendsProps, "counts">) {
  const sum = (of: typeof counts) => of.reduce((total, { count }) => total + count, 0);
  const total = sum(counts);
  const ended = sum(counts.filter(({ status }) => isEnded(status)));
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <SendCounts sends={counts.map(({ status, count }) => [status, count])} />
      {ended < total && (
        <span className="flex items-center gap-2 text-muted-foreground">
          <progress aria-label="Finished sends" value={ended} max={total} className="progress" />
          <span className="tabular-nums">
            {ended} of {total} done
          </span>
        </span>
      )}
    </div>
  );
}
