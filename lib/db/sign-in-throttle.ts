import { createHash } from "node:crypto";
import type { Database } from "./client.ts";
import { Prisma } from "./generated/client.ts";

/** Who tries to sign in. `address` is a client address, or null where it isn't known. */
export type SignInAttempt = { readonly email: string; readonly address: string | null };

export type SignInPermit = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * The brake on guessing passwords. Failures are counted in three places, and each has attempts that are free and then
 * a pause that doubles:
 *
 * | counted for | free | longest pause | stops |
 * |---|---|---|---|
 * | e-mail and address | 5 | 15 min | one guesser at one user |
 * | address | 20 | 15 min | one guesser at many users |
 * | e-mail | 50 | 30 s | many guessers at one user |
 *
 * Nobody is locked out for good: the pauses end, an hour without a failure clears a count, and the last row doesn't
 * hold for an address from which this user has signed in before, so that strangers can't keep an owner out.
 *
 * An attempt counts as a failure before the password is looked at and is taken back when it was right. So of many
 * attempts at once no more get through than one after the other.
 */
export async function takeSignInAttempt(db: Database, attempt: SignInAttempt): Promise<SignInPermit> {
  const rules = rulesFor(attempt);
  const keys = rules.map((rule) => rule.key);
  const rows = await db.$queryRaw<{ wait: number | null }[]>`
    with known as (
      select 1 from sign_in_throttles where key = ${knownKey(attempt)}
    ), rule as (
      select * from unnest(${keys}::text[], ${rules.map((r) => r.free)}::int[], ${rules.map((r) => r.longest)}::int[])
        as r(key, free, longest)
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
              else least(r.longest, power(2, least(t.failures + 1 - r.free, 20) - 1)) end
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

/** The password was right: this attempt was none, and this address is one that the user signs in from. */
export async function forgiveSignInAttempt(db: Database, attempt: SignInAttempt): Promise<void> {
  const takenBack = rulesFor(attempt).map((rule) => rule.key);
  await db.$transaction([
    // Only this one: whoever has a user of their own must not clear the count of guesses at others.
    db.$executeRaw`
      update sign_in_throttles set failures = greatest(failures - 1, 0), blocked_until = ${thisMoment}
      where key = any(${takenBack}::text[])`,
    db.$executeRaw`delete from sign_in_throttles where key = ${pairKey(attempt)}`,
    db.$executeRaw`
      insert into sign_in_throttles (key, failures, blocked_until, updated_at)
      select ${knownKey(attempt)}, 0, now(), now() where ${attempt.address !== null}
      on conflict (key) do update set updated_at = excluded.updated_at`,
  ]);
}

/** Forgets counts that are a day old and addresses that are a quarter old. Returns how many rows went. */
export async function pruneSignInThrottles(db: Database): Promise<number> {
  return await db.$executeRaw`
    delete from sign_in_throttles
    where updated_at < now() - interval '90 days'
      or (updated_at < now() - interval '1 day' and key not like 'known:%')`;
}

// Rounded down to what the column keeps: rounded up, it would block for half a millisecond.
const thisMoment = Prisma.sql`date_trunc('milliseconds', clock_timestamp())`;

type Rule = { readonly key: string; readonly free: number; readonly longest: number };

function rulesFor(attempt: SignInAttempt): readonly Rule[] {
  const byEmail = { key: emailKey(attempt.email), free: 50, longest: 30 };
  // Without an address everybody would share one count, and a stranger could stop all sign-ins.
  if (attempt.address === null) return [{ ...byEmail, free: 5 }];
  return [
    { key: pairKey(attempt), free: 5, longest: 900 },
    { key: `address:${attempt.address}`, free: 20, longest: 900 },
    byEmail,
  ];
}

// Hashed: what people type into the e-mail field is no business of whoever reads this table, and has any length.
function emailKey(email: string): string {
  return `email:${createHash("sha256").update(email).digest("base64url")}`;
}

function pairKey({ email, address }: SignInAttempt): string {
  return `pair:${emailKey(email)}:${address ?? "unknown"}`;
}

function knownKey({ email, address }: SignInAttempt): string {
  return `known:${emailKey(email)}:${address ?? "unknown"}`;
}
