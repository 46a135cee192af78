import { beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { recordListening } from "#lib/db/silence/hook-hours.ts";
import { rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { takeTurn } from "#lib/jobs/run-jobs.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { silenceJobs } from "./silence.ts";

const minute = 60_000;
const hour = 60 * minute;
const thisMinute = Math.floor(Date.now() / minute) * minute;
const { db } = withDatabase();
let hook: TestHook;

beforeEach(async () => {
  const counts = ["statistics_hours", "delivery_statistics", "listening_hours"];
  await emptyTables(db, ...counts, "watched_hooks", "problems");
  await db.$executeRaw`update hooks set status = 'disabled'`;
  hook = await addHook(db);
});

it("a silence opens one problem that says what is usual, and a delivery resolves it", async () => {
  await learn({ silentFor: 3 * hour });
  await check();
  await check();
  const [problem, ...others] = await listProblems();
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ kind: "silence", state: "open", hook_id: hook.id, count: 1n });
  expect(problem?.details.message).toMatch(
    /^Usually about 40 an hour (on \w+days from \d\d:00 to \d\d:00 UTC|at this time of the week), nothing for 3 hours$/,
  );
  expect(problem?.details).toMatchObject({ usualPerHour: 40, rejectedCount: 0 });
  expect(problem?.details.earlierWeeks.slice(0, 3)).toEqual([40, 40, 40]);
  await deliver("accepted", thisMinute - minute);
  await check();
  expect(await listProblems()).toMatchObject([{ state: "resolved", resolution: "recovered" }]);
});

it("deliveries that are only rejected are silence, with the number and the response", async () => {
  await learn({ silentFor: 450 * minute });
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, reason, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    select uuid_v7_at(now() - n * interval '2 minutes'), ${hook.accountId}::uuid, ${hook.id}::uuid, 'rejected', 'signature_mismatch', now(),
      'POST', '', '', '[]', 0, '', 'failed', '127.0.0.1'
    from generate_series(1, 205) n`;
  await check();
  const [problem] = await listProblems();
  expect(problem?.details).toMatchObject({ isOnlyRejected: true, rejectedCount: 205 });
  expect(problem?.details.message).toContain(
    "only rejected deliveries for 8 hours: 205 with 401 (Invalid signature)",
  );
});

it("a hook that delivers has no problem, nor has one whose rhythm isn't known yet", async () => {
  await learn({ silentFor: 5 * minute });
  await check();
  expect(await listProblems()).toEqual([]);
  await db.$executeRaw`delete from delivery_statistics where hour > ${new Date(thisMinute - 5 * hour)}`;
  await db.$executeRaw`delete from delivery_statistics where hour < ${new Date(thisMinute - 13 * 24 * hour)}`;
  await checkNow();
  expect(await listProblems()).toEqual([]);
});

it("a silence is over when its hook is paused, and begins again when it is resumed", async () => {
  await learn({ silentFor: 3 * hour });
  await check();
  await db.$executeRaw`update hooks set status = 'paused' where id = ${hook.id}::uuid`;
  await check();
  expect(await listProblems()).toMatchObject([{ state: "resolved" }]);
  await db.$executeRaw`update hooks set status = 'active' where id = ${hook.id}::uuid`;
  await check();
  expect(await db.watchedHook.count()).toBe(1);
  expect(await listProblems()).toMatchObject([{ state: "resolved" }]);
});

it("the time in which Catchment was down is no silence", async () => {
  await learn({ silentFor: 6 * hour });
  // It listened until the last delivery, and again for the last five minutes.
  await db.$executeRaw`
    insert into listening_hours (hour, minutes)
    select date_trunc('hour', at), bit_or(1::bigint << extract(minute from at)::int)
    from generate_series(${new Date(thisMinute - 40 * 24 * hour)}::timestamptz, ${new Date(thisMinute)}::timestamptz, interval '1 minute') at
    where at < ${new Date(thisMinute - 6 * hour)} or at > ${new Date(thisMinute - 5 * minute)} group by 1`;
  await check();
  expect(await listProblems()).toEqual([]);
  await recordListening(db);
  await db.$executeRaw`delete from listening_hours`;
  await checkNow();
  expect(await listProblems()).toMatchObject([{ state: "open" }]);
});

it("an expectation decides instead of the rhythm, from when it is watched", async () => {
  await db.$executeRaw`insert into statistics_hours (hour, counted_until) values (date_trunc('hour', now()), ${new Date(thisMinute)})`;
  await check();
  const set = (silence: { enabled?: boolean; expectEveryMinutes?: number | null }) =>
    updateHook(testContext(db, hook.accountId), { id: hook.id, silence });
  await set({ expectEveryMinutes: 60 });
  await check();
  expect(await listProblems()).toEqual([]);
  await db.$executeRaw`update watched_hooks set watched_since = now() - interval '2 hours'`;
  await checkNow();
  const [problem] = await listProblems();
  expect(problem?.details.message).toMatch(
    /^Expected at least one every hour, nothing for (?:1\d\d minutes|2 hours)$/,
  );
  await set({ enabled: false });
  await check();
  expect(await listProblems()).toMatchObject([{ state: "resolved" }]);
  expect(await db.watchedHook.count()).toBe(0);
});

it("the roll-up keeps the minutes of accepted deliveries, without tests", async () => {
  const start = Math.floor((Date.now() - 2 * hour) / hour) * hour;
  await deliver("accepted", start + 3 * minute);
  await deliver("accepted", start + 3 * minute + 5);
  await deliver("accepted", start + 59 * minute);
  await deliver("rejected", start + 7 * minute);
  await deliver("accepted", start + 9 * minute, true);
  for (let step = 0; step < 10; step += 1) await rollUpStep(db, start);
  const row = await db.deliveryStatistic.findFirst({
    where: { hookId: hook.id, status: "accepted", hour: new Date(start) },
  });
  expect(row).toMatchObject({ count: 4n, minutes: (1n << 3n) | (1n << 59n) });
});

/** Four weeks with 40 deliveries in each hour, in every third minute, and then none. */
async function learn({ silentFor }: { silentFor: number }): Promise<void> {
  const last = thisMinute - silentFor;
  await db.$executeRaw`
    insert into delivery_statistics (account_id, hour, hook_id, status, count, minutes)
    select ${hook.accountId}::uuid, date_trunc('hour', at), ${hook.id}::uuid, 'accepted', 40, bit_or(1::bigint << extract(minute from at)::int)
    from generate_series(${new Date(last)}::timestamptz, ${new Date(last - 28 * 24 * hour)}::timestamptz, interval '-3 minutes') at group by 2`;
  await db.$executeRaw`insert into statistics_hours (hour, counted_until) values (date_trunc('hour', now()), ${new Date(thisMinute)})`;
  await watchSince(new Date(thisMinute - 40 * 24 * hour));
}

async function watchSince(since: Date): Promise<void> {
  await db.$executeRaw`
    insert into watched_hooks (hook_id, account_id, watched_since) values (${hook.id}::uuid, ${hook.accountId}::uuid, ${since})`;
}

async function check(): Promise<void> {
  await takeTurn({ jobs: silenceJobs(db) }, 0, new AbortController().signal);
  await db.$executeRaw`update watched_hooks set check_at = now() - interval '1 ms' where silent_since is not null`;
}

async function checkNow(): Promise<void> {
  await db.$executeRaw`update watched_hooks set check_at = now() - interval '1 ms'`;
  await check();
}

/** Stores a delivery, and counts it if it was accepted. */
async function deliver(status: string, atMs: number, isSample = false): Promise<void> {
  const id = idFloor(atMs).slice(0, 14) + newId().slice(14);
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip, is_sample)
    values (${id}::uuid, ${hook.accountId}::uuid, ${hook.id}::uuid, ${status}, ${new Date(atMs)}, 'POST', '', '', '[]', 0, '', 'verified',
      '127.0.0.1', ${isSample})`;
  if (status !== "accepted" || (await db.statisticsHour.count()) === 0) return;
  const at = new Date(Math.floor(atMs / hour) * hour);
  const bit = 1n << BigInt(Math.floor((atMs % hour) / minute));
  await db.$executeRaw`
    insert into delivery_statistics as known (account_id, hour, hook_id, status, count, minutes)
    values (${hook.accountId}::uuid, ${at}, ${hook.id}::uuid, 'accepted', 1, ${bit}::bigint)
    on conflict (account_id, hour, hook_id, status) do update set minutes = known.minutes | excluded.minutes`;
}

type ProblemRow = {
  readonly kind: string;
  readonly state: string;
  readonly resolution: string | null;
  readonly hook_id: string;
  readonly count: bigint;
  readonly details: {
    readonly message: string;
    readonly isOnlyRejected: boolean;
    readonly earlierWeeks: readonly number[];
  };
};

async function listProblems(): Promise<readonly ProblemRow[]> {
  return await db.$queryRaw<ProblemRow[]>`
    select kind, state, resolution, hook_id, count, details from problems where hook_id = ${hook.id}::uuid order by id`;
}
