import { listAlerts } from "#lib/db/alerts/alert-history.ts";
import {
  acknowledgeProblem as acknowledge,
  countOpenProblems as countOpen,
  getProblem as findProblem,
  listProblems as findProblems,
  type ProblemRecord,
  resolveProblemBy,
} from "#lib/db/problems/problems.ts";
import { byId, noFields } from "#lib/schema/field/common.ts";
import { problemQuerySchema } from "#lib/schema/watch/problem.ts";
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
