import { z } from "zod";
import { isId } from "#lib/base/ids.ts";
import { findActionsByName } from "#lib/db/actions/action-names.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import {
  getVersion as findVersion,
  listVersions as findVersions,
  type StoredVersion,
} from "#lib/db/actions/action-versions.ts";
import { getAction as findAction, listActions as findActions } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { readBreaker } from "#lib/db/queue/control/breakers.ts";
import { startedFrom } from "#lib/schema/act/version.ts";
import type { BreakerState } from "#lib/schema/field/breaker.ts";
import { byId, filterText, pageFields, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";
import { readVersionNumber } from "./read-version-number.ts";

export type { StoredVersion } from "#lib/db/actions/action-versions.ts";
export type { ActionRecord };

export type ActionWithBreaker = {
  readonly action: ActionRecord;
  readonly breakerState: BreakerState;
};

/** Returns an action of the account. Throws `not_found`. */
export const getAction = service({
  permission: "hooks:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<ActionWithBreaker> => {
    const action = await findAction(db, actor.accountId, id);
    return { action, breakerState: await readBreaker(db, action.id) };
  },
});

/** The actions of a hook, newest first. */
export const listActions = service({
  permission: "hooks:read",
  input: z.strictObject({ ...pageFields, id: recordId }),
  run: async ({ db, actor }, { id, ...page }) => {
    const hook = await getHook(db, actor.accountId, id);
    return await findActions(db, actor.accountId, hook.id, page);
  },
});

/** An action to show as a document without secrets, for the import of another hook. */
export const exportAction = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findAction(db, actor.accountId, id),
});

/** The versions of an action, newest first. */
export const listVersions = service({
  permission: "hooks:read",
  input: z.strictObject({ ...pageFields, id: recordId }),
  run: ({ db, actor }, { id, ...page }) => findVersions(db, actor.accountId, id, page),
});

/** One version with what it does, and the one before it. */
export const getVersion = service({
  permission: "hooks:read",
  input: z.strictObject({ id: recordId, number: recordId }),
  run: ({ db, actor }, { id, number }) =>
    findVersion(db, actor.accountId, id, readVersionNumber(number)),
});

/** Actions with a text in their name or their hook's. Without a hook's id: those of all hooks. */
export const findNamedActions = service({
  permission: "hooks:read",
  input: z.strictObject({
    text: z.union([z.literal(""), filterText]),
    hookId: z.string(),
    limit: z.int(),
  }),
  run: ({ db, actor }, { text, hookId, limit }) =>
    findActionsByName(db, actor.accountId, { text, hookId: isId(hookId) ? hookId : null, limit }),
});

/** The version in force, compared with an earlier one instead of the one before it. */
export const compareWithCurrent = service({
  permission: "hooks:read",
  input: z.strictObject({ id: recordId, from: startedFrom }),
  run: async ({ db, actor }, { id, from }): Promise<StoredVersion> => {
    const { version } = await findAction(db, actor.accountId, id);
    const [current, before] = await Promise.all([
      findVersion(db, actor.accountId, id, version),
      findVersion(db, actor.accountId, id, from),
    ]);
    return { ...current, before };
  },
});
