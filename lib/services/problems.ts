import { AppError, invalidField } from "#lib/base/errors.ts";
import { listAlerts } from "#lib/db/alerts/alert-history.ts";
import { getMember } from "#lib/db/members/members.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import {
  acknowledgeProblem as acknowledge,
  changeProblem,
  countOpenProblems as countOpen,
  getProblem as findProblem,
  listProblems as findProblems,
  markSeen,
  type ProblemRecord,
  readNewSince,
  resolveProblemBy,
} from "#lib/db/problems/problems.ts";
import { byId, noFields, recordId } from "#lib/schema/field/common.ts";
import { problemPatchSchema, problemQuerySchema } from "#lib/schema/watch/problem.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

export type { ProblemRecord } from "#lib/db/problems/problems.ts";

/** The account's problems, newest first. */
export const listProblems = service({
  permission: "deliveries:read",
  input: problemQuerySchema,
  run: ({ db, actor }, { limit, cursor, ...filter }) =>
    findProblems(db, actor.accountId, filter, { limit, cursor }),
});

/** Returns a problem of the account. Throws `not_found`. */
export const getProblem = service({
  permission: "deliveries:read",
  input: byId,
  run: ({ db, actor }, { id }) => findProblem(db, actor.accountId, id),
});

const maxAlerts = 200;

/** The messages about a problem with their attempts, oldest first. Throws `not_found`. */
export const listProblemAlerts = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const problem = await findProblem(db, actor.accountId, id);
    return await listAlerts(db, actor.accountId, problem.id, maxAlerts);
  },
});

/** The number of open problems: not acknowledged, and not over. */
export const countOpenProblems = service({
  permission: "deliveries:read",
  input: noFields,
  run: ({ db, actor }) => countOpen(db, actor.accountId),
});

/** The end of the person's last visit to the problems: later ones are new to them. Null: there was none. */
export const readProblemsSince = service({
  permission: "deliveries:read",
  input: noFields,
  run: async ({ db, actor }) =>
    actor.type === "user" ? await readNewSince(db, actor.accountId, actor.userId) : null,
});

/** Remembers that the person looks at the problems now. */
export const seeProblems = service({
  permission: "deliveries:read",
  input: noFields,
  run: async ({ db, actor }): Promise<null> => {
    if (actor.type === "user") await markSeen(db, actor.accountId, actor.userId);
    return null;
  },
});

/** Changes who takes care of a problem, and the comment. Throws `not_found`. */
export const updateProblem = service({
  permission: "deliveries:write",
  input: problemPatchSchema.extend({ id: recordId }),
  run: async (context, { id, ...patch }): Promise<ProblemRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const before = await findProblem(db, accountId, id);
    return await db.$transaction(async (tx) => {
      if (patch.assigneeId != null) await requireMember(tx, accountId, patch.assigneeId);
      await changeProblem(tx, accountId, before.id, { ...patch, by: nameActor(actor) });
      const after = await findProblem(tx, accountId, before.id);
      const targets = [{ type: "problem", id: before.id }];
      const change = { before: toShown(before), after: toShown(after) };
      await audit(context, { event: "problem.updated", targets, ...change }, tx);
      return after;
    });
  },
});

async function requireMember(tx: Transaction, accountId: string, id: string): Promise<void> {
  try {
    await getMember(tx, accountId, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    throw invalidField("assigneeId", "is not a member of the account");
  }
}

function toShown({ assignee, comment }: ProblemRecord) {
  return { assignee, comment };
}

/** Acknowledges a problem, which stops its reminders. Throws `not_found`. */
export const acknowledgeProblem = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<ProblemRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const problem = await findProblem(db, accountId, id);
    if (problem.state !== "open") return problem;
    const targets = [{ type: "problem", id: problem.id }];
    await db.$transaction(async (tx) => {
      await acknowledge(tx, accountId, problem.id, nameActor(actor));
      await audit(context, { event: "problem.acknowledged", targets }, tx);
    });
    return await findProblem(db, accountId, problem.id);
  },
});

/** Resolves a problem manually. If it occurs again, a new one opens. Throws `not_found`. */
export const resolveProblem = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<ProblemRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const problem = await findProblem(db, accountId, id);
    if (problem.state === "resolved") return problem;
    const targets = [{ type: "problem", id: problem.id }];
    await db.$transaction(async (tx) => {
      await resolveProblemBy(tx, accountId, problem.id, nameActor(actor));
      await audit(context, { event: "problem.resolved", targets }, tx);
    });
    return await findProblem(db, accountId, problem.id);
  },
});
