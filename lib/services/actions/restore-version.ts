import { z } from "zod";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { getVersion } from "#lib/db/actions/action-versions.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";
import { readVersionNumber } from "./read-version-number.ts";
import { applyPatch } from "./update-action.ts";
import { toVersionPatch } from "./version-patch.ts";

type Restored = {
  readonly action: ActionRecord;
  /** The keys of calls whose credentials must be entered again. */
  readonly missingCredentials: readonly string[];
};

/**
 * Makes an action do what an earlier version did: a new version, with the current credentials that
 * still fit. Throws `not_found`, `conflict`, or what `updateAction` does.
 */
export const restoreVersion = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, number: recordId }),
  run: async (context, { id, number: text }): Promise<Restored> => {
    const { db, sealer, actor } = context;
    const number = readVersionNumber(text);
    const current = await getAction(db, actor.accountId, id);
    const stored = await getVersion(db, actor.accountId, id, number);
    const { patch, missingCredentials } = toVersionPatch(sealer, current, stored);
    const change = { ...patch, version: current.version };
    const action = await applyPatch(context, id, change, { restoredFrom: number });
    return { action, missingCredentials };
  },
});
