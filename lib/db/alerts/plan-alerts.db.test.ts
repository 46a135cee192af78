import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { openProblem } from "#lib/db/problems/record-problems.ts";
import { openShared, updateShared } from "#lib/db/problems/shared-problems.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { ruleInputSchema } from "#lib/schema/watch/alert.ts";
import type { ProblemDetails, ProblemKind } from "#lib/schema/watch/problem.ts";
import { lockChangedProblems } from "./plan-alerts.ts";
import { insertRules } from "./rules.ts";

const { db } = withDatabase();

const silence: ProblemDetails = {
  kind: "silence",
  message: "It is silent.",
  usualPerHour: 60,
  earlierWeeks: [],
  expectEveryMinutes: null,
  silentSince: new Date(0).toISOString(),
  lastDeliveryAt: null,
  isOnlyRejected: false,
  rejectedCount: 0,
};

/** The number of rules that a problem of the account reaches now, by its kind. */
async function readRules(accountId: string) {
  const changed = await db.$transaction((tx) => lockChangedProblems(tx, 100));
  return changed.flatMap((each) => (each.accountId === accountId ? [each.rules.length] : []));
}

async function addRule(accountId: string, kind: ProblemKind, threshold: number) {
  const rule = { id: newId(), ...ruleInputSchema.parse({ kind, threshold, channelIds: [] }) };
  await db.$transaction((tx) => insertRules(tx, accountId, [rule]));
}

test("a problem that lasts reaches a rule when it begins, whatever number the rule has", async () => {
  const { accountId, id: hookId } = await addHook(db);
  await addRule(accountId, "silence", 3);
  const problem = { accountId, hookId, kind: "silence", key: "s", details: silence } as const;
  await openProblem(db, { ...problem, at: new Date() });
  expect(await readRules(accountId)).toEqual([1]);
});

test("a problem that lasts reaches a rule although no worker looked while it began", async () => {
  const { accountId } = await addHook(db);
  await addRule(accountId, "spool", 1);
  const none = { setAside: 0, hosts: [], asideNames: [], oldestAt: null };
  const spool = { ...none, kind: "spool" as const, waiting: 1 };
  await openShared(db, spool);
  await db.$executeRaw`update problem_counts set minute = minute - interval '1 hour'`;
  await updateShared(db, spool);
  expect(await readRules(accountId)).toEqual([1]);
});

test("what occurs again and again reaches a rule at its number", async () => {
  const { accountId, id: hookId } = await addHook(db);
  await addRule(accountId, "rejected", 2);
  const details = { kind: "rejected", message: null } as const;
  const problem = { accountId, hookId, kind: "rejected", key: "r", details } as const;
  await openProblem(db, { ...problem, at: new Date() });
  expect(await readRules(accountId)).toEqual([0]);
  await openProblem(db, { ...problem, at: new Date() });
  expect(await readRules(accountId)).toEqual([1]);
});
