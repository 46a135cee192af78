import { beforeEach, describe, expect, it } from "vitest";
import { prolongPauses } from "#lib/db/testing/prolong-pauses.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import {
  clearSignInAttempt,
  pruneSignInThrottles,
  reserveSignInAttempt,
} from "./sign-in-throttle.ts";

const { db } = withDatabase({ poolSize: 8 });

beforeEach(async () => {
  await db.$executeRaw`truncate sign_in_throttles`;
});

const ada = { email: "ada@example.com", address: "198.51.100.1" };

/** Simulates passing time by moving stored times into the past. */
async function pass(interval: string): Promise<void> {
  await db.$executeRaw`
    update sign_in_throttles
    set blocked_until = blocked_until - ${interval}::interval, updated_at = updated_at - ${interval}::interval`;
}

async function endPauses(): Promise<void> {
  await db.$executeRaw`update sign_in_throttles set blocked_until = updated_at`;
}

/** The pauses after the last failure, in whole seconds. */
async function readPauses(): Promise<number[]> {
  const rows = await db.$queryRaw<{ seconds: number }[]>`
    select round(extract(epoch from blocked_until - updated_at))::int as seconds
    from sign_in_throttles order by seconds desc`;
  return rows.map(({ seconds }) => seconds);
}

async function fail(
  count: number,
  attempt: { email: string; address: string | null },
): Promise<void> {
  for (let i = 0; i < count; i += 1) await reserveSignInAttempt(db, attempt);
}

describe("guesses at one user from one address", () => {
  it("are free five times, then wait twice as long each time", async () => {
    await fail(5, ada);
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 5; i += 1) {
      expect(await reserveSignInAttempt(db, ada)).toEqual({ ok: true });
      waits.push((await readPauses())[0]);
      await prolongPauses(db);
      expect((await reserveSignInAttempt(db, ada)).ok).toBe(false);
      await endPauses();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16]);
  });

  it("wait at most 15 minutes, and start over after an hour without a failure", async () => {
    for (let i = 0; i < 30; i += 1) {
      await reserveSignInAttempt(db, ada);
      await pass("901 seconds");
    }
    await reserveSignInAttempt(db, ada);
    const permit = await reserveSignInAttempt(db, ada);
    expect((await readPauses())[0]).toBe(900);
    expect(permit.ok ? 0 : permit.retryAfterSeconds).toBeGreaterThan(600);
    await pass("61 minutes");
    await fail(4, ada);
    expect(await reserveSignInAttempt(db, ada)).toEqual({ ok: true });
  });

  it("get no further when made all at once", async () => {
    const startedAt = performance.now();
    const permits = await Promise.all(
      Array.from({ length: 40 }, () => reserveSignInAttempt(db, ada)),
    );
    // On a busy machine, the pauses of 1, 2, 4, … seconds end meanwhile.
    const pauses = Math.floor(Math.log2(1 + (performance.now() - startedAt) / 1_000));
    expect(permits.filter((permit) => permit.ok).length).toBeLessThanOrEqual(6 + pauses);
  });

  it("don't block the user at another address", async () => {
    await fail(20, ada);
    expect(await reserveSignInAttempt(db, { ...ada, address: "203.0.113.9" })).toEqual({
      ok: true,
    });
  });
});

describe("guesses at many users from one address", () => {
  it("are blocked after twenty", async () => {
    for (let i = 0; i < 21; i += 1) await fail(1, { ...ada, email: `user${i}@example.com` });
    await prolongPauses(db);
    expect((await reserveSignInAttempt(db, { ...ada, email: "next@example.com" })).ok).toBe(false);
  });

  it("add no rows once they are blocked", async () => {
    for (let i = 0; i < 21; i += 1) await fail(1, { ...ada, email: `user${i}@example.com` });
    await prolongPauses(db);
    for (let i = 21; i < 100; i += 1) await fail(1, { ...ada, email: `user${i}@example.com` });
    expect(await db.signInThrottle.count()).toBe(2 * 21 + 1);
  });
});

describe("guesses at one user from many addresses", () => {
  async function guessFromEverywhere(): Promise<void> {
    for (let i = 0; i < 60; i += 1)
      await fail(1, { ...ada, address: `2001:db8:0:${i.toString(16)}::/64` });
    await pass("1 second");
    for (let i = 0; i < 60; i += 1)
      await fail(1, { ...ada, address: `2001:db8:1:${i.toString(16)}::/64` });
  }

  it("are blocked for seconds, never longer than half a minute", async () => {
    await guessFromEverywhere();
    const permit = await reserveSignInAttempt(db, { ...ada, address: "203.0.113.9" });
    expect(permit.ok).toBe(false);
    expect(permit.ok ? 0 : permit.retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  it("don't lock the user out of an address where they have signed in before", async () => {
    await reserveSignInAttempt(db, ada);
    await clearSignInAttempt(db, ada);
    await guessFromEverywhere();
    expect(await reserveSignInAttempt(db, ada)).toEqual({ ok: true });
  });
});

describe("a right password", () => {
  it("clears the count of this user at this address", async () => {
    for (let round = 0; round < 5; round += 1) {
      await fail(4, ada);
      expect(await reserveSignInAttempt(db, ada)).toEqual({ ok: true });
      await clearSignInAttempt(db, ada);
      await db.$executeRaw`delete from sign_in_throttles where key like 'address:%'`;
    }
  });

  it("doesn't clear guesses at other users from the same address", async () => {
    for (let i = 0; i < 19; i += 1) await fail(1, { ...ada, email: `user${i}@example.com` });
    const own = { ...ada, email: "mallory@example.com" };
    await reserveSignInAttempt(db, own);
    await clearSignInAttempt(db, own);
    await fail(2, { ...ada, email: "victim@example.com" });
    await prolongPauses(db);
    expect((await reserveSignInAttempt(db, { ...ada, email: "victim@example.com" })).ok).toBe(
      false,
    );
  });
});

it("without a known address, one client blocks others for at most half a minute", async () => {
  for (let i = 0; i < 40; i += 1) {
    await reserveSignInAttempt(db, { ...ada, address: null });
    await pass("31 seconds");
  }
  await reserveSignInAttempt(db, { ...ada, address: null });
  const permit = await reserveSignInAttempt(db, { ...ada, address: null });
  expect((await readPauses())[0]).toBe(30);
  expect(permit.ok ? 0 : permit.retryAfterSeconds).toBeGreaterThan(0);
  expect(await reserveSignInAttempt(db, { email: "other@example.com", address: null })).toEqual({
    ok: true,
  });
});

it("old counts are deleted", async () => {
  await fail(3, ada);
  expect(await pruneSignInThrottles(db)).toBe(0);
  await pass("25 hours");
  expect(await pruneSignInThrottles(db)).toBe(3);
});

describe("a known browser", () => {
  const known = { ...ada, device: "11111111-1111-4111-8111-111111111111" };

  it("is not blocked by another client behind the same address", async () => {
    for (let i = 0; i < 60; i += 1) {
      await fail(1, ada);
      await fail(1, { ...ada, email: `user${i}@example.com` });
    }
    await prolongPauses(db);
    expect((await reserveSignInAttempt(db, ada)).ok).toBe(false);
    expect(await reserveSignInAttempt(db, known)).toEqual({ ok: true });
    await clearSignInAttempt(db, known);
    // The owner's success gives the attacker no extra guesses.
    expect((await reserveSignInAttempt(db, ada)).ok).toBe(false);
  });

  it("gets ten guesses and then waits like everyone else", async () => {
    await fail(11, known);
    await prolongPauses(db);
    expect((await reserveSignInAttempt(db, known)).ok).toBe(false);
    expect(await reserveSignInAttempt(db, ada)).toEqual({ ok: true });
  });
});
