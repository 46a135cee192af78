import { listAlerts } from "#lib/db/alerts/alert-history.ts";
import {
  countOpenProblems as countOpen,
  getProblem as findProblem,
  listProblems as findProblems,
} from "#lib/db/problems/problems.ts";
import { byId, noFields } from "#lib/schema/field/common.ts";
import { problemQuerySchema } from "#lib/schema/watch/problem.ts";
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
