import { z } from "zod";
import { verifyPending } from "#lib/catch/stored/verify-pending.ts";
import { createHookSchema, updateHookSchema } from "#lib/core/hook/hook-input.ts";
import { readHandshakeSecret } from "#lib/db/hooks/handshake-secret.ts";
import { rotateHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import {
  createHook,
  deleteHook,
  getHook,
  listHooks,
  setHookStatus,
  updateHook,
} from "#lib/db/hooks/hooks.ts";
import { endPreviousCatchUrls, rotateCatchUrl } from "#lib/db/hooks/rotate-catch-url.ts";
import { pageFields } from "#lib/schema/field/common.ts";
import { catchUrlRotationSchema, secretRotationSchema } from "#lib/schema/hook.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { withEvaluationParts } from "#lib/web/services/evaluation-parts.ts";
import { showHook, showSavedHook } from "#lib/web/views/show-hook.ts";
import { showPage } from "#lib/web/views/show-page.ts";

export const postHook = endpoint({
  scope: "hooks:write",
  body: createHookSchema,
  status: 201,
  handle: async ({ context: { db, sealer, env }, accountId, body }) =>
    showSavedHook(await createHook(db, accountId, body, sealer), env.publicUrl),
});

export const getHooks = endpoint({
  scope: "hooks:read",
  query: z.strictObject(pageFields),
  handle: async ({ context: { db, env }, accountId, query }) =>
    showPage(await listHooks(db, accountId, query), (hook) => showHook(hook, env.publicUrl)),
});

export const getOneHook = endpoint({
  scope: "hooks:read",
  handle: async ({ context: { db, env }, accountId, id }) =>
    showHook(await getHook(db, accountId, id), env.publicUrl),
});

export const patchHook = endpoint({
  scope: "hooks:write",
  body: updateHookSchema,
  handle: async ({ context: { db, sealer, env }, accountId, id, body }) =>
    showSavedHook(await updateHook(db, accountId, id, body, sealer), env.publicUrl),
});

export const removeHook = endpoint({
  scope: "hooks:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => deleteHook(db, accountId, id),
});

export const postHookSecret = endpoint({
  scope: "hooks:write",
  body: secretRotationSchema,
  status: 201,
  handle: async ({ context: { db, sealer, env }, accountId, id, body }) =>
    showSavedHook(await rotateHookSecret(db, accountId, id, body, sealer), env.publicUrl),
});

export const postCatchUrl = endpoint({
  scope: "hooks:write",
  body: catchUrlRotationSchema,
  status: 201,
  handle: async ({ context: { db, env }, accountId, id, body }) =>
    showHook(await rotateCatchUrl(db, accountId, id, body), env.publicUrl),
});

export const removePreviousCatchUrls = endpoint({
  scope: "hooks:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => endPreviousCatchUrls(db, accountId, id),
});

export const postVerifyPending = endpoint({
  scope: "hooks:write",
  handle: ({ context, accountId, id }) =>
    withEvaluationParts(context, (parts) => verifyPending(context.db, accountId, id, parts)),
});

/** The secret that the provider sent in a handshake, for its owner to copy. */
export const getHandshakeSecret = endpoint({
  scope: "hooks:write",
  handle: async ({ context: { db, sealer }, accountId, id }) => ({
    secret: await readHandshakeSecret(db, accountId, id, sealer),
  }),
});

export const pauseHook = endpoint({
  scope: "hooks:write",
  handle: async ({ context: { db, env }, accountId, id }) =>
    showHook(await setHookStatus(db, accountId, id, "paused"), env.publicUrl),
});

export const resumeHook = endpoint({
  scope: "hooks:write",
  handle: async ({ context: { db, env }, accountId, id }) =>
    showHook(await setHookStatus(db, accountId, id, "active"), env.publicUrl),
});
