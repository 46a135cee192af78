import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type {
  AlertEvent,
  AlertState,
  ChannelKind,
  Digest,
  QuietHours,
} from "#lib/schema/watch/alert.ts";
import { quietHoursSchema } from "#lib/schema/watch/alert.ts";
import { lastingKinds } from "#lib/schema/watch/lasting-kinds.ts";
import type { ProblemKind, ProblemState } from "#lib/schema/watch/problem.ts";

/** A problem that has changed, and what is known about its messages. */
export type ChangedProblem = {
  readonly id: string;
  readonly accountId: string;
  readonly kind: ProblemKind;
  readonly state: ProblemState;
  readonly rules: readonly MatchingRule[];
  /** The messages that say that it is open, by channel. One that failed counts as sent once a reminder was. */
  readonly opened: readonly {
    readonly channelId: string;
    readonly kind: ChannelKind;
    readonly state: AlertState;
    readonly inDigest: boolean;
    readonly dueAt: Date;
  }[];
};

/** A rule whose threshold the problem has reached. For a problem that lasts, its start is enough. */
export type MatchingRule = {
  readonly channelIds: readonly string[];
  readonly digest: Digest;
  readonly quietHours: QuietHours | null;
};

/** A message that is to be sent at `dueAt`. `isHeld`: what is sent then depends on the problem. */
export type NewAlert = {
  readonly accountId: string;
  readonly channelId: string;
  readonly problemId: string;
  readonly event: Exclude<AlertEvent, "digest">;
  readonly number: number;
  readonly isHeld: boolean;
  readonly inDigest: boolean;
  readonly dueAt: Date;
};

type ProblemRow = Pick<ChangedProblem, "id" | "accountId" | "kind" | "state">;
type RuleRow = Omit<MatchingRule, "quietHours"> & {
  readonly problemId: string;
  readonly quietHours: unknown;
};
type OpenedRow = ChangedProblem["opened"][number] & { readonly problemId: string };

/** A receiver that fails and recovers all day mustn't fill the mailbox of its people. */
const maxOpenedADay = 10;

/** Locks problems that have changed since the rules last looked at them. */
export async function lockChangedProblems(
  tx: SqlStatements,
  limit: number,
): Promise<readonly ChangedProblem[]> {
  const problems = await tx.$queryRaw<ProblemRow[]>`
    select id, account_id as "accountId", kind, state from problems where is_changed order by id limit ${limit}::int
    for no key update skip locked`;
  if (problems.length === 0) return [];
  const ids = problems.map(({ id }) => id);
  const rules = await tx.$queryRaw<RuleRow[]>`
    select p.id as "problemId", r.channel_ids as "channelIds", r.digest, r.quiet_hours as "quietHours"
    from problems p join alert_rules r on r.account_id = p.account_id and r.kind = p.kind and r.enabled
    where p.id = any (${ids}::uuid[]) and (p.kind = any (${[...lastingKinds]}::text[]) or r.threshold <= (
      select coalesce(sum(c.count), 0) from problem_counts c
      where c.problem_id = p.id and c.minute > p.last_at - r.within_seconds * interval '1 second' - interval '1 minute'
    ))
    order by r.id`;
  const asked = await tx.$queryRaw<RuleRow[]>`
    select "problemId", array_agg("channelId") as "channelIds", 'off' as digest, null::json as "quietHours"
    from (
      select p.id as "problemId", c.id as "channelId", row_number() over (partition by c.id order by p.id) + (
        select count(*) from alerts a
        where a.channel_id = c.id and a.event = 'opened' and a.created_at > now() - interval '1 day'
          and a.problem_id <> all (${ids}::uuid[])
      ) as number
      from problems p
      join subscriptions s on s.id = p.subscription_id
      join alert_channels c on c.account_id = p.account_id and c.recipient = s.recipient and c.confirmed_at is not null
      where p.id = any (${ids}::uuid[]) and p.kind = 'subscription_failing' and p.state = 'open'
    ) numbered where number <= ${maxOpenedADay}::int
    group by "problemId"`;
  const opened = await tx.$queryRaw<OpenedRow[]>`
    select a.problem_id as "problemId", a.channel_id as "channelId", c.kind, a.in_digest as "inDigest", a.due_at as "dueAt",
      case when a.state = 'failed' and exists (
        select from alerts r
        where r.problem_id = a.problem_id and r.channel_id = a.channel_id and r.event = 'reminder' and r.state in ('waiting', 'sent')
      ) then 'sent' else a.state end as state
    from alerts a join alert_channels c on c.id = a.channel_id
    where a.problem_id = any (${ids}::uuid[]) and a.event = 'opened'`;
  return problems.map((problem) => ({
    ...problem,
    rules: [...rules, ...asked]
      .filter(({ problemId }) => problemId === problem.id)
      .map(({ quietHours, ...rule }) => ({
        ...rule,
        quietHours: quietHours === null ? null : quietHoursSchema.parse(quietHours),
      })),
    opened: opened.filter(({ problemId }) => problemId === problem.id),
  }));
}

/**
 * Adds messages that don't exist yet, and marks their problems as looked at. One that is held is sent earlier if
 * another rule of its channel says so.
 */
export async function addAlerts(
  tx: SqlStatements,
  problemIds: readonly string[],
  alerts: readonly NewAlert[],
): Promise<void> {
  for (const { accountId, channelId, problemId, ...alert } of alerts) {
    await tx.$executeRaw`
      insert into alerts (id, account_id, channel_id, problem_id, event, number, state, in_digest, due_at)
      select uuid_v7_at(clock_timestamp()), ${accountId}::uuid, id, ${problemId}::uuid, ${alert.event}, ${alert.number}::int,
        ${alert.isHeld ? "held" : "waiting"}, ${alert.inDigest}::boolean, ${alert.dueAt}
      from alert_channels where id = ${channelId}::uuid and account_id = ${accountId}::uuid
      on conflict (problem_id, channel_id, event, number) do update
      set state = excluded.state, in_digest = excluded.in_digest, due_at = excluded.due_at
      where alerts.state = 'held' and excluded.due_at < alerts.due_at`;
  }
  await tx.$executeRaw`update problems set is_changed = false where id = any (${[...problemIds]}::uuid[])`;
}

/** A problem that someone has to be reminded of. */
type DueReminder = {
  readonly accountId: string;
  readonly problemId: string;
  readonly channelId: string;
  /** The time of the next reminder. */
  readonly number: number;
  readonly quietHours: QuietHours | null;
};

/** Open problems whose last message was sent longer ago than their rule says. */
export async function findDueReminders(
  tx: SqlStatements,
  limit: number,
): Promise<readonly DueReminder[]> {
  const rows = await tx.$queryRaw<(Omit<DueReminder, "quietHours"> & { quietHours: unknown })[]>`
    select p.account_id as "accountId", p.id as "problemId", a.channel_id as "channelId", (max(a.number) + 1)::int as number,
      r.quiet_hours as "quietHours"
    from alert_rules r
    join problems p on p.account_id = r.account_id and p.kind = r.kind and p.state = 'open'
    join alerts a on a.problem_id = p.id and a.channel_id = any (r.channel_ids) and a.event in ('opened', 'reminder')
    join alert_channels c on c.id = a.channel_id and c.kind <> 'pagerduty'
    where r.enabled and r.remind_minutes is not null and r.digest = 'off'
    group by p.account_id, p.id, a.channel_id, r.id, r.remind_minutes, r.quiet_hours::text
    having bool_and(a.state in ('sent', 'failed', 'dropped')) and max(a.ended_at) < now() - r.remind_minutes * interval '1 minute'
    limit ${limit}::int`;
  return rows.map(({ quietHours, ...row }) => ({
    ...row,
    quietHours: quietHours === null ? null : quietHoursSchema.parse(quietHours),
  }));
}
