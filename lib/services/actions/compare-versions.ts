import { z } from "zod";
import { getVersion, type StoredVersion } from "#lib/db/actions/action-versions.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { startedFrom } from "#lib/schema/action/version.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

/** The version in force, compared with an earlier one instead of the one before it. */
export const compareWithCurrent = service({
  permission: "hooks:read",
  input: z.strictObject({ id: recordId, from: startedFrom }),
  run: async ({ db, actor }, { id, from }): Promise<StoredVersion> => {
    const { version } = await getAction(db, actor.accountId, id);
    const [current, before] = await Promise.all([
      getVersion(db, actor.accountId, id, version),
      getVersion(db, actor.accountId, id, from),
    ]);
    return { ...current, before };
  },
});
