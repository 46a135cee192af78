import { z } from "zod";
import { countHookContents } from "#lib/db/hooks/hook-contents.ts";
import { findHooksByName } from "#lib/db/hooks/hook-names.ts";
import { getHook as findHook, listHooks as findHooks } from "#lib/db/hooks/hooks.ts";
import { byId, filterText, pageFields } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { HookRecord, HookSecretSummary, SavedHook } from "#lib/db/hooks/hook-record.ts";

/** Throws `not_found` if it is deleted or another account's. */
export const getHook = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findHook(db, actor.accountId, id),
});

/** The account's hooks, newest first. */
export const listHooks = service({
  permission: "hooks:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findHooks(db, actor.accountId, page),
});

/** The newest hooks whose names contain a text. An empty text is in every name. */
export const findNamedHooks = service({
  permission: "hooks:read",
  input: z.strictObject({ text: z.union([z.literal(""), filterText]), limit: z.int() }),
  run: ({ db, actor }, { text, limit }) => findHooksByName(db, actor.accountId, text, limit),
});

/** Counts what is deleted with a hook. */
export const readHookContents = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => countHookContents(db, actor.accountId, id),
});
