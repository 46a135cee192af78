import { NoMatches } from "#components/lists/list-state.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { toSendRow } from "#components/subscriptions/send-row.ts";
import { SendTable } from "#components/subscriptions/send-table.tsx";
import type { StartSince } from "#components/subscriptions/since-dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import type { RunListItem } from "#lib/schema/act/run.ts";
import {
  RecoverButton,
  RecoveryList,
  type RecoveryView,
  ReplayMissingButton,
} from "./recover-sends.tsx";

type PortalSendsProps = {
  readonly base: string;
  readonly subscriptionId: string;
  readonly list: {
    readonly nowMs: number;
    readonly nextCursor: string | null;
    readonly isMoving: boolean;
    readonly sends: readonly RunListItem[];
  };
  readonly isFirst: boolean;
  /** The job, and the status, whose sends are shown. */
  readonly filter: Readonly<Record<"job" | "status", string>>;
  /** Null: the link doesn't allow it. */
  readonly recovery: {
    readonly recoveries: readonly RecoveryView[];
    readonly recover: StartSince;
    readonly replayMissing: StartSince;
  } | null;
};

/** The sends of a subscription, newest first, one line each. */
export function PortalSends(props: PortalSendsProps) {
  const { base, subscriptionId, list, isFirst, filter, recovery } = props;
  const { nowMs, nextCursor, sends } = list;
  const isRecovering = recovery?.recoveries.some(({ status }) => status === "running") ?? false;
  const isMoving = list.isMoving || isRecovering;
  const path = `${base}/subscriptions/${subscriptionId}`;
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  const linkTo = (cursor: string | null) => {
    const params = new URLSearchParams([
      ...given,
      ...(cursor === null ? [] : [["cursor", cursor]]),
    ]);
    return params.size === 0 ? path : `${path}?${params}`;
  };
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="sends">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sends" className="text-lg font-semibold tracking-tight">
          Recent sends
        </h2>
        {recovery !== null && (
          <div className="flex flex-wrap gap-2">
            {sends.length > 0 && (
              <RecoverButton subscriptionId={subscriptionId} start={recovery.recover} />
            )}
            <ReplayMissingButton subscriptionId={subscriptionId} start={recovery.replayMissing} />
          </div>
        )}
      </div>
      {/* New events arrive at any time, so the first page refreshes at intervals. */}
      <RefreshWhile isOn={isFirst} everyMs={isMoving ? 2_000 : 10_000} />
      {recovery !== null && (
        <RecoveryList recoveries={recovery.recoveries} path={path} nowMs={nowMs} />
      )}
      {given.length > 0 && (
        <p className="text-sm text-muted-foreground">
          Only sends of one recovery or replay.{" "}
          <Link href={path} className="underline underline-offset-4">
            Show all
          </Link>
        </p>
      )}
      {sends.length === 0 && given.length > 0 ? (
        <NoMatches what="sends" />
      ) : sends.length === 0 ? (
        <EmptyState title="Nothing sent yet">
          <p>The first event shows up here automatically.</p>
        </EmptyState>
      ) : (
        <SendTable
          rows={sends.map((send) => toSendRow(send, nowMs))}
          nowMs={nowMs}
          to={`${base}/sends`}
        />
      )}
      <PageLinks
        links={{
          older: nextCursor === null ? null : linkTo(nextCursor),
          newer: null,
          newest: isFirst ? null : linkTo(null),
        }}
      />
    </section>
  );
}
