import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "./client.ts";
import { forgiveSignInAttempt, pruneSignInThrottles, takeSignInAttempt } from "./sign-in-throttle.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = createDatabase({ url: testDatabase.url, poolSize: 8, applicationName: "test" });
});
afterAll(async () => {
  await db?.$disconnect();
  await testDatabase?.drop();
});
beforeEach(async () => {
  await db.$executeRaw`truncate sign_in_throttles`;
});

const ada = { email: "ada@example.com", address: "198.51.100.1" };

/** Lets the time pass by moving what is stored into the past. */
async function pass(interval: string): Promise<void> {
  await db.$executeRaw`
    update sign_in_throttles
    set blocked_until = blocked_until - ${interval}::interval, updated_at = updated_at - ${interval}::interval`;
}

async function fail(count: number, attempt: { email: string; address: string | null }): Promise<void> {
  for (let i = 0; i < count; i += 1) await takeSignInAttempt(db, attempt);
}

describe("guesses at one user from one address", () => {
  it("are free five times, then wait twice as long each time", async () => {
    await fail(5, ada);
    expect(await takeSignInAttempt(db, ada)).toEqual({ ok: true });
    const waits: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const permit = await takeSignInAttempt(db, ada);
      waits.push(permit.ok ? 0 : permit.retryAfterSeconds);
      await pass(`${waits.at(-1)} seconds`);
      expect(await takeSignInAttempt(db, ada)).toEqual({ ok: true });
    }
    expect(waits).toEqual([1, 2, 4, 8]);
  });

  it("wait 15 minutes at most, and start anew after an hour without a failure", async () => {
    for (let i = 0; i < 30; i += 1) {
      await takeSignInAttempt(db, ada);
      await pass("901 seconds");
    }
    await takeSignInAttempt(db, ada);
    const permit = await takeSignInAttempt(db, ada);
    expect(permit.ok ? 0 : permit.retryAfterSeconds).toBe(900);
    await pass("61 minutes");
    await fail(4, ada);
    expect(await takeSignInAttempt(db, ada)).toEqual({ ok: true });
  });

  it("made all at once get no more through than one after the other", async () => {
    const permits = await Promise.all(Array.from({ length: 40 }, () => takeSignInAttempt(db, ada)));
    expect(permits.filter((permit) => permit.ok).length).toBeLessThanOrEqual(6);
  });

  it("don't stop the user at another address", async () => {
    await fail(20, ada);
    expect(await takeSignInAttempt(db, { ...ada, address: "203.0.113.9" })).toEqual({ ok: true });
  });
});

describe("guesses at many users from one address", () => {
  it("are stopped after twenty", async () => {
    for (let i = 0; i < 21; i += 1) await fail(1, { ...ada, email: `user${i}@example.com` });
    expect((await takeSignInAttempt(db, { ...ada, email: "next@example.com" })).ok).toBe(false);
  });

  it("make no more rows once they are stopped", async () => {
    for (let i = 0; i < 100; i += 1) await fail(1, { ...ada, email: `user${i}@example.com` });
    expect(await db.signInThrottle.count()).toBeLessThanOrEqual(2 * 21 + 1);
  });
});

describe("guesses at one user from many addresses", () => {
  async function guessFromEverywhere(): Promise<void> {
    for (let i = 0; i < 60; i += 1) await fail(1, { ...ada, address: `2001:db8:0:${i.toString(16)}::/64` });
    await pass("1 second");
    for (let i = 0; i < 60; i += 1) await fail(1, { ...ada, address: `2001:db8:1:${i.toString(16)}::/64` });
  }

  it("are stopped for seconds, never longer than half a minute", async () => {
    await guessFromEverywhere();
    const permit = await takeSignInAttempt(db, { ...ada, address: "203.0.113.9" });
    expect(permit.ok).toBe(false);
    expect(permit.ok ? 0 : permit.retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  it("don't keep the user out where they have signed in before", async () => {
    await takeSignInAttempt(db, ada);
    await forgiveSignInAttempt(db, ada);
    await guessFromEverywhere();
    expect(await takeSignInAttempt(db, ada)).toEqual({ ok: true });
  });
});

describe("a right password", () => {
  it("clears what was counted for this user at this address", async () => {
    for (let round = 0; round < 5; round += 1) {
      await fail(4, ada);
      expect(await takeSignInAttempt(db, ada)).toEqual({ ok: true });
      await forgiveSignInAttempt(db, ada);
      await db.$executeRaw`delete from sign_in_throttles where key like 'address:%'`;
    }
  });

  it("doesn't clear the guesses at others from the same address", async () => {
    for (let i = 0; i < 19; i += 1) await fail(1, { ...ada, email: `user${i}@example.com` });
    const own = { ...ada, email: "mallory@example.com" };
    await takeSignInAttempt(db, own);
    await forgiveSignInAttempt(db, own);
    await fail(2, { ...ada, email: "victim@example.com" });
    expect((await takeSignInAttempt(db, { ...ada, email: "victim@example.com" })).ok).toBe(false);
  });
});

it("without a known address a stranger stops nobody for longer than half a minute", async () => {
  for (let i = 0; i < 40; i += 1) {
    await takeSignInAttempt(db, { ...ada, address: null });
    await pass("31 seconds");
  }
  await takeSignInAttempt(db, { ...ada, address: null });
  const permit = await takeSignInAttempt(db, { ...ada, address: null });
  expect(permit.ok ? 0 : permit.retryAfterSeconds).toBe(30);
  expect(await takeSignInAttempt(db, { email: "other@example.com", address: null })).toEqual({ ok: true });
});

it("old counts are forgotten", async () => {
  await fail(3, ada);
  expect(await pruneSignInThrottles(db)).toBe(0);
  await pass("25 hours");
  expect(await pruneSignInThrottles(db)).toBe(3);
});
