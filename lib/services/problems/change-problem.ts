import {
  acknowledgeProblem as acknowledge,
  getProblem,
  type ProblemRecord,
  resolveProblemBy,
} from "#lib/db/problems/problems.ts";
import { byId } from "#lib/schema/field/common.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Acknowledges a problem, which stops its reminders. Throws `not_found`. */
export const acknowledgeProblem = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<ProblemRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const problem = await getProblem(db, accountId, id);
    if (problem.state !== "open") return problem;
    const targets = [{ type: "problem", id: problem.id }];
    await db.$transaction(async (tx) => {
      await acknowledge(tx, accountId, problem.id, nameActor(actor));
      await audit(context, { event: "problem.acknowledged", targets }, tx);
    });
    return await getProblem(db, accountId, problem.id);
  },
});

/** Resolves a problem manually. If it occurs again, a new one opens. Throws `not_found`. */
export const resolveProblem = service({
  permission: "deliveries:write",
  input: byId,
  run: async (context, { id }): Promise<ProblemRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const problem = await getProblem(db, accountId, id);
    if (problem.state === "resolved") return problem;
    const targets = [{ type: "problem", id: problem.id }];
    await db.$transaction(async (tx) => {
      await resolveProblemBy(tx, accountId, problem.id, nameActor(actor));
      await audit(context, { event: "problem.resolved", targets }, tx);
    });
    return await getProblem(db, accountId, problem.id);
  },
});
