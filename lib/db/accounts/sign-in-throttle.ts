import { createHash } from "node:crypto";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * A sign-in attempt. `address` is the client's address, or null if unknown. `device` is the id of a
 * browser in which this user has signed in before.
 */
type SignInAttempt = {
  readonly email: string;
  readonly address: string | null;
  readonly device?: string | null;
  /**
   * True if only someone with the password can make this attempt. So many clients together get
   * fewer guesses: another client can't use up those of the user.
   */
  readonly isSecret?: boolean;
};

type SignInPermit =
  | { readonly ok: true }
  | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * Throttles password guessing. Failures are counted in four ways. Each count has free attempts, and
 * then a pause that doubles:
 *
 * | counted for | free | longest pause | stops |
 * |---|---|---|---|
 * | email and address | 5 | 15 min | one client guessing at one user |
 * | address | 20 | 15 min | one client guessing at many users |
 * | email | 50 | 30 s | many clients guessing at one user |
 * | email and device | 10 | 15 min | a client with a known browser |
 *
 * A second factor has 10 free attempts and pauses of 15 minutes in the third row.
 *
 * A known browser has its own count and none of the others: behind an untrusted proxy all clients
 * share one address, and an attacker's guesses would lock the owner out (OWASP calls these device
 * cookies).
 *
 * No user is locked out permanently: pauses end, an hour without a failure clears a count, and the
 * third row doesn't apply to an address from which this user has signed in before.
 *
 * An attempt counts as a failure before the password is checked, and the failure is removed if the
 * password was correct. So concurrent attempts get no further than sequential ones.
 */
export async function reserveSignInAttempt(
  db: Database,
  attempt: SignInAttempt,
): Promise<SignInPermit> {
  const rules = rulesFor(attempt);
  const keys = rules.map((rule) => rule.key);
  const rows = await db.$queryRaw<{ wait: number | null }[]>`
    with known as (
      select 1 from sign_in_throttles where key = ${knownKey(attempt)}
    ), rule as (
      select * from unnest(${keys}::text[], ${rules.map((r) => r.free)}::int[], ${rules.map((r) => r.maxPauseSeconds)}::int[])
        as r(key, free, maxPauseSeconds)
      where not (key = ${emailKey(attempt.email)} and exists (select 1 from known))
    ), blocked as (
      select t.blocked_until from sign_in_throttles t join rule r on r.key = t.key
      where t.blocked_until > clock_timestamp()
    ), counted as (
      insert into sign_in_throttles as t (key, failures, blocked_until, updated_at)
      select key, 1, ${thisMoment}, ${thisMoment} from rule
      where not exists (select 1 from blocked) order by key
      on conflict (key) do update set
        failures = case when t.updated_at < now() - interval '1 hour' then 1 else t.failures + 1 end,
        updated_at = ${thisMoment},
        blocked_until = ${thisMoment} + case
          when t.updated_at < now() - interval '1 hour' then interval '0'
          else make_interval(secs => (
            select case when t.failures + 1 <= r.free then 0
              else least(r.maxPauseSeconds, power(2, least(t.failures + 1 - r.free, 20) - 1)) end
            from rule r where r.key = t.key)) end
      where t.blocked_until <= clock_timestamp()
      returning 1
    )
    select case
      when exists (select 1 from blocked)
        then (select ceil(extract(epoch from max(blocked_until) - clock_timestamp()))::int from blocked)
      when (select count(*) from counted) < (select count(*) from rule) then 1
    end as wait`;
  const wait = rows[0]?.wait ?? null;
  return wait === null ? { ok: true } : { ok: false, retryAfterSeconds: Math.max(wait, 1) };
}

/**
 * Removes the failure of an attempt whose password was correct, and remembers its address as known.
 */
export async function clearSignInAttempt(db: Database, attempt: SignInAttempt): Promise<void> {
  const cleared = rulesFor(attempt).map((rule) => rule.key);
  await db.$transaction([
    // Clears only this count: a user must not be able to clear the count of guesses at others.
    db.$executeRaw`
      update sign_in_throttles set failures = greatest(failures - 1, 0), blocked_until = ${thisMoment}
      where key = any(${cleared}::text[])`,
    db.signInThrottle.deleteMany({ where: { key: ownKey(attempt) } }),
    db.$executeRaw`
      insert into sign_in_throttles (key, failures, blocked_until, updated_at)
      select ${knownKey(attempt)}, 0, now(), now() where ${attempt.address !== null}
      on conflict (key) do update set updated_at = excluded.updated_at`,
  ]);
}

/**
 * Deletes counts older than a day and known addresses older than three months. Anyone can add counts,
 * so it doesn't wait for someone to sign in. Returns the number of rows.
 */
export async function pruneSignInThrottles(db: SqlStatements): Promise<number> {
  return await db.$executeRaw`
    delete from sign_in_throttles
    where updated_at < now() - interval '90 days'
      or (updated_at < now() - interval '1 day' and key not like 'known:%')`;
}

// Rounded down to the column's precision. If it were rounded up, it would block for half a
// millisecond.
const thisMoment = Prisma.sql`date_trunc('milliseconds', clock_timestamp())`;

type Rule = { readonly key: string; readonly free: number; readonly maxPauseSeconds: number };

function rulesFor(attempt: SignInAttempt): readonly Rule[] {
  if (isKnownDevice(attempt)) return [{ key: ownKey(attempt), free: 10, maxPauseSeconds: 900 }];
  const limits = attempt.isSecret
    ? { free: 10, maxPauseSeconds: 900 }
    : { free: 50, maxPauseSeconds: 30 };
  const byEmail = { key: emailKey(attempt.email), ...limits };
  // Without an address, all clients would share one count, and an attacker could block every
  // sign-in.
  if (attempt.address === null) return [{ ...byEmail, free: 5 }];
  return [
    { key: pairKey(attempt), free: 5, maxPauseSeconds: 900 },
    { key: `address:${attempt.address}`, free: 20, maxPauseSeconds: 900 },
    byEmail,
  ];
}

// Hashed: the email field may hold anything, of any length, and is private.
function emailKey(email: string): string {
  return `email:${createHash("sha256").update(email).digest("base64url")}`;
}

/** The count of this client's guesses at this user. */
function ownKey(attempt: SignInAttempt): string {
  return isKnownDevice(attempt)
    ? `device:${emailKey(attempt.email)}:${attempt.device}`
    : pairKey(attempt);
}

function isKnownDevice({ device }: SignInAttempt): boolean {
  return device !== undefined && device !== null;
}

function pairKey({ email, address }: SignInAttempt): string {
  return `pair:${emailKey(email)}:${address ?? "unknown"}`;
}

function knownKey({ email, address }: SignInAttempt): string {
  return `known:${emailKey(email)}:${address ?? "unknown"}`;
}
