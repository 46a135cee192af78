import { z } from "zod";
import { verifyPending as verifyStored } from "#lib/evaluate/stored/verify-pending.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/audit.ts";
import { withEvaluationParts } from "#lib/services/evaluation/evaluation-parts.ts";
import { service } from "#lib/services/service.ts";

/** Verifies and runs the deliveries that a hook stored while it waited for its secret. */
export const verifyPending = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }) => {
    const { db, actor } = context;
    const verified = await withEvaluationParts(context, (parts) =>
      verifyStored(db, actor.accountId, id, parts),
    );
    await audit(context, { event: "hook.pending.verified", targets: [{ type: "hook", id }] });
    return verified;
  },
});
