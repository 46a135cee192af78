import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { AlertEvent, ChannelKind } from "#lib/schema/watch/alert.ts";
import type { ProblemState } from "#lib/schema/watch/problem.ts";

export type HeldAlert = {
  readonly id: string;
  readonly accountId: string;
  readonly channelId: string;
  readonly channelKind: ChannelKind;
  readonly problemId: string;
  readonly problemState: ProblemState;
  readonly event: AlertEvent;
  readonly inDigest: boolean;
};

/** Locks the held messages of one channel whose time has come. */
export async function lockHeldAlerts(
  tx: SqlStatements,
  limit: number,
): Promise<readonly HeldAlert[]> {
  return await tx.$queryRaw<HeldAlert[]>`
    with channel as materialized (
      select id, kind from alert_channels
      where id in (select channel_id from alerts where state = 'held' and due_at <= now()::timestamptz(3))
      order by id limit 1 for no key update skip locked
    )
    select a.id, a.account_id as "accountId", a.channel_id as "channelId", channel.kind as "channelKind", a.problem_id as "problemId",
      p.state as "problemState", a.event, a.in_digest as "inDigest"
    from alerts a join channel on channel.id = a.channel_id join problems p on p.id = a.problem_id
    where a.state = 'held' and a.due_at <= now()::timestamptz(3) order by a.id limit ${limit}::int`;
}

/** Lets messages go as they are. */
export async function releaseAlerts(tx: SqlStatements, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`update alerts set state = 'waiting' where id = any (${[...ids]}::uuid[]) and state = 'held'`;
}

/** Ends messages that say nothing anymore. */
export async function dropAlerts(tx: SqlStatements, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`
    update alerts set state = 'dropped', ended_at = now() where id = any (${[...ids]}::uuid[]) and state = 'held'`;
}

/** Tells messages of one channel in one. */
export async function digestAlerts(
  tx: SqlStatements,
  { accountId, channelId }: Pick<HeldAlert, "accountId" | "channelId">,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`
    with digest as (
      insert into alerts (id, account_id, channel_id, event, state, due_at)
      values (uuid_v7_at(clock_timestamp()), ${accountId}::uuid, ${channelId}::uuid, 'digest', 'waiting', now())
      returning id
    )
    update alerts set state = 'digested', ended_at = now(), digest_id = digest.id
    from digest where alerts.id = any (${[...ids]}::uuid[]) and state = 'held'`;
}
