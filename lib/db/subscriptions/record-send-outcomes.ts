import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

/** The outcome of a subscription's latest call. `gone`: the receiver responded with 410. */
export type SendOutcome = {
  readonly subscriptionId: string;
  readonly accountId: string;
  /** The version of the subscription when its run was claimed. */
  readonly version: string;
  readonly outcome: "succeeded" | "failed" | "gone";
};

type Disabled = {
  readonly subscriptionId: string;
  readonly code: "gone" | "failing";
};

/**
 * The number of days with only failures after which a subscription is disabled. A notice is sent a
 * day before.
 */
const disableAfterDays = 5;
const warnAfterDays = 4;

/**
 * Records the time since which every call of a subscription has failed, by the database's clock.
 * One success resets it. A failure after five such days disables the subscription, and so does a
 * 410, unless the subscription has changed since its run was claimed: its receiver URL may be
 * another one. The history decides whether there were really only failures: another worker may have seen a success.
 *
 * @returns the subscriptions that were disabled
 */
export async function recordSendOutcomes(
  db: SqlDatabase,
  outcomes: readonly SendOutcome[],
): Promise<readonly Disabled[]> {
  const idsOf = (wanted: SendOutcome["outcome"]) =>
    outcomes.filter(({ outcome }) => outcome === wanted).map((sent) => sent.subscriptionId);
  const succeeded = idsOf("succeeded");
  if (succeeded.length > 0)
    await db.$executeRaw`
      with healed as (
        delete from subscription_health where subscription_id = any (${succeeded}::uuid[]) returning subscription_id
      ) ${endWarnings(Prisma.sql`select subscription_id from healed`)}`;
  const gone = outcomes.filter(({ outcome }) => outcome === "gone");
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  return [
    ...(gone.length === 0 ? [] : await disable(db, gone, "gone", goneReason)),
    ...(failed.length === 0 ? [] : await recordFailures(db, failed)),
  ];
}

async function recordFailures(
  db: SqlDatabase,
  failed: readonly SendOutcome[],
): Promise<readonly Disabled[]> {
  const versions = new Map(failed.map(({ subscriptionId, version }) => [subscriptionId, version]));
  const rows = await db.$queryRaw<{ id: string; days: number; isWarned: boolean }[]>`
    insert into subscription_health as health (subscription_id, account_id, failing_since)
    select id, account_id, now() from subscriptions
    where id = any (${[...versions.keys()]}::uuid[]) and status = 'active' and deleted_at is null
    order by id
    on conflict (subscription_id) do update set failing_since = health.failing_since
    returning subscription_id as id, (date_part('epoch', now() - failing_since) / 86400)::float8 as days,
      warned_at is not null as "isWarned"`;
  const late = rows.filter(({ days }) => days >= warnAfterDays);
  if (late.length === 0) return [];
  const lateIds = late.map(({ id }) => id);
  const recovered = new Set(await forgetRecovered(db, lateIds));
  const left = late.filter(({ id }) => !recovered.has(id));
  await warn(
    db,
    left.filter(({ days, isWarned }) => days < disableAfterDays && !isWarned).map(({ id }) => id),
  );
  const over = left
    .filter(({ days }) => days >= disableAfterDays)
    .map(({ id }) => ({ subscriptionId: id, version: versions.get(id) ?? "" }));
  return over.length === 0 ? [] : await disable(db, over, "failing", failingReason);
}

/** Resets subscriptions with a success since they began to fail. @returns their ids */
async function forgetRecovered(db: SqlDatabase, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    with healed as (
      delete from subscription_health health
      where subscription_id = any (${[...ids]}::uuid[]) and exists (
        select from runs
        where target_id = health.subscription_id and state = 'succeeded' and finished_at > health.failing_since
          and id >= uuid_v7_floor(health.failing_since - interval '7 days')
      )
      returning subscription_id
    ), ended as (${endWarnings(Prisma.sql`select subscription_id from healed`)}
    )
    select subscription_id as id from healed`;
  return rows.map(({ id }) => id);
}

async function warn(db: SqlDatabase, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    with warned as (
      update subscription_health set warned_at = now()
      where subscription_id = any (${[...ids]}::uuid[]) and warned_at is null
      returning subscription_id, account_id
    )
    insert into notices (id, account_id, kind, subscription_id, detail)
    select uuid_v7_at(clock_timestamp()), account_id, 'subscription_failing', subscription_id, ${warning} from warned`;
}

/** Hides the warnings of subscriptions for which they are no longer true. */
function endWarnings(ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    update notices set dismissed_at = now()
    where subscription_id = any (array(${ids})) and kind = 'subscription_failing' and dismissed_at is null`;
}

/**
 * A subscription, and the version that it must still have. After the dot is that of the account's
 * settings, which may have changed.
 */
type Versioned = Pick<SendOutcome, "subscriptionId" | "version">;

async function disable(
  db: SqlDatabase,
  subscriptions: readonly Versioned[],
  code: Disabled["code"],
  reason: string,
): Promise<readonly Disabled[]> {
  const ids = subscriptions.map(({ subscriptionId }) => subscriptionId);
  const versions = subscriptions.map(({ version }) => version);
  const rows = await db.$queryRaw<{ id: string }[]>`
    with disabled as (
      update subscriptions s set status = 'disabled', status_reason = ${`${code}: ${reason}`}, updated_at = now()
      from unnest(${ids}::uuid[], ${versions}::text[]) as failed(id, version)
      where s.id = failed.id and split_part(failed.version, '.', 1) = s.xmin::text and status = 'active' and deleted_at is null
      returning s.id, s.account_id
    ), forgotten as (
      delete from subscription_health where subscription_id in (select id from disabled)
    ), ended as (${endWarnings(Prisma.sql`select id from disabled`)}
    ), told as (
      insert into notices (id, account_id, kind, subscription_id, detail)
      select uuid_v7_at(clock_timestamp()), account_id, 'subscription_disabled', id, ${reason} from disabled
    )
    select id from disabled`;
  return rows.map(({ id }) => ({ subscriptionId: id, code }));
}

const warning =
  "Every call has failed for four days. If this continues for another day, the subscription will be disabled.";
const failingReason = "Every call failed for five days.";
const goneReason = "The receiver responded with 410: it wants no more events.";
