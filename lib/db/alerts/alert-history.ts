import type { Database } from "#lib/db/postgres/client.ts";
import type { AlertEvent, AlertState, ChannelKind } from "#lib/schema/watch/alert.ts";

/** A message about a problem, and how each try to send it went. */
export type AlertRecord = {
  readonly id: string;
  readonly channelId: string;
  readonly channelName: string;
  readonly channelKind: ChannelKind;
  readonly event: AlertEvent;
  readonly state: AlertState;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly attempts: readonly AlertAttemptRecord[];
};

type AlertAttemptRecord = {
  readonly number: number;
  readonly startedAt: Date;
  /** Null: it is being made, or its worker was stopped. */
  readonly durationMs: number | null;
  readonly isSent: boolean | null;
  readonly message: string | null;
};

/** The messages about a problem, oldest first, with those of digests that told it. */
export async function listAlerts(
  db: Database,
  accountId: string,
  problemId: string,
  limit: number,
): Promise<readonly AlertRecord[]> {
  const own = await db.alert.findMany({
    where: { accountId, problemId },
    orderBy: { id: "asc" },
    take: limit,
    select,
  });
  const digestIds = own.flatMap(({ digestId }) => (digestId === null ? [] : [digestId]));
  const digests = await db.alert.findMany({
    where: { accountId, id: { in: digestIds } },
    orderBy: { id: "asc" },
    select,
  });
  return [...own, ...digests].map(({ channel, event, state, digestId: _, ...alert }) => ({
    ...alert,
    event: event as AlertEvent,
    state: state as AlertState,
    channelName: channel.name,
    channelKind: channel.kind as ChannelKind,
  }));
}

const select = {
  id: true,
  channelId: true,
  event: true,
  state: true,
  dueAt: true,
  createdAt: true,
  endedAt: true,
  digestId: true,
  channel: { select: { name: true, kind: true } },
  attempts: { orderBy: { number: "asc" }, omit: { alertId: true } },
} as const;
