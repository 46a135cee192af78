import { z } from "zod";
import { lockAction, markActionDeleted } from "#lib/db/actions/actions.ts";
import { cancelBatchOfDeleted } from "#lib/db/hooks/purge-hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Deletes an action and its credentials. The first few thousand open runs are canceled with it.
 * `cancelRunsOfDeleted` cancels the rest, and any in flight, within about a minute.
 */
export const deleteAction = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const { name } = await lockAction(tx, actor.accountId, id);
      await markActionDeleted(tx, actor.accountId, id);
      await audit(
        context,
        { event: "action.deleted", targets: [{ type: "action", id, name }] },
        tx,
      );
    });
    await cancelBatchOfDeleted(db, { actionId: id });
  },
});
