import { getHook } from "#lib/db/hooks/hooks.ts";
import { verifyPending as verifyStored } from "#lib/evaluate/stored/verify-pending.ts";
import { byId } from "#lib/schema/field/common.ts";
import { withEvaluationParts } from "#lib/services/evaluation.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Verifies and runs the deliveries that a hook stored while it waited for its secret. */
export const verifyPending = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }) => {
    const { db, actor } = context;
    const { name } = await getHook(db, actor.accountId, id);
    // Before it begins: it works in many transactions, each of which lasts.
    await auditWithoutChange(context, {
      event: "hook.pending.verified",
      targets: [{ type: "hook", id, name }],
    });
    return await withEvaluationParts(context, (parts) =>
      verifyStored(db, actor.accountId, id, parts),
    );
  },
});
