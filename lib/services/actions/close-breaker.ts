import { z } from "zod";
import { getAction } from "#lib/db/actions/actions.ts";
import { closeBreaker, readBreaker } from "#lib/db/queue/control/breakers.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import type { BreakerState } from "#lib/schema/field/breaker.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Starts the runs that an open breaker or a held action keeps waiting. */
export const closeActionBreaker = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<BreakerState> => {
    const { db, actor } = context;
    const action = await getAction(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      await closeBreaker(tx, action.id);
      const targets = [{ type: "action", id, name: action.name }];
      await audit(context, { event: "action.breaker.closed", targets }, tx);
    });
    notifyRunsDue(db);
    return await readBreaker(db, action.id);
  },
});
