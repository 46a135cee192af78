import { expect, it } from "vitest";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { addProblem } from "#lib/db/testing/test-problem.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { getProblem, readProblemsSince, seeProblems, updateProblem } from "./problems.ts";

const { db } = withDatabase();

/** An account with a problem and a person, who acts. */
async function setUp() {
  const { accountId, id: hookId } = await addHook(db);
  const userId = await addMember(db, accountId, "member");
  const id = await addProblem(db, { accountId, hookId });
  const context = testContext(db, accountId);
  const user = {
    type: "user",
    accountId,
    userId,
    email: "ada@example.com",
    role: "member",
  } as const;
  const actor = { ...user, sessionId: "s", maskedFields: [] };
  return { id, accountId, userId, context: { ...context, actor } satisfies ServiceContext };
}

it("a problem has an assignee, who is a member, and a comment with its author", async () => {
  const { id, accountId, userId, context } = await setUp();
  const { userId: outsider } = await setUp();
  await expect(updateProblem(context, { id, assigneeId: outsider })).rejects.toMatchObject({
    errors: [{ path: "assigneeId" }],
  });
  const changed = await updateProblem(context, {
    id,
    assigneeId: userId,
    comment: " Ticket 4711 ",
  });
  expect(changed).toMatchObject({
    ...{ assigneeId: userId, comment: "Ticket 4711", commentedBy: "ada@example.com" },
    commentedAt: expect.any(Date),
  });
  const cleared = { assigneeId: userId, comment: null, commentedAt: null, commentedBy: null };
  expect(await updateProblem(context, { id, comment: null })).toMatchObject(cleared);
  const [entry] = await db.auditEntry.findMany({
    where: { accountId, event: "problem.updated" },
    orderBy: { seq: "asc" },
  });
  expect(entry?.changes).toContainEqual({ path: "comment", before: null, after: "Ticket 4711" });
  await db.membership.delete({ where: { accountId_userId: { accountId, userId } } });
  expect(await getProblem(context, { id })).toMatchObject({ assigneeId: null, assignee: null });
});

it("what opened since a person's last visit is new, until half an hour after they have looked", async () => {
  const { accountId, userId, context } = await setUp();
  const since = async () => (await readProblemsSince(context, {}))?.getTime() ?? null;
  const where = { accountId_userId: { accountId, userId } };
  const seenAt = async () => (await db.membership.findUnique({ where }))?.problemsSeenAt?.getTime();
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  expect(await since()).toBeNull();
  await seeProblems(context, {});
  expect(await since()).toBeNull();

  const lastVisit = ago(120);
  await db.membership.update({ where, data: { problemsSeenAt: lastVisit } });
  expect(await since()).toBe(lastVisit.getTime());
  // They look at the list again and again.
  for (const _ of [1, 2]) {
    await seeProblems(context, {});
    expect(await since()).toBe(lastVisit.getTime());
  }
  const end = ago(31);
  expect(await seenAt()).toBeGreaterThan(end.getTime());
  await db.membership.update({ where, data: { problemsSeenAt: end } });
  expect(await since()).toBe(end.getTime());
});
