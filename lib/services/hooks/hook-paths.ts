import { randomBytes } from "node:crypto";
import { AppError } from "#lib/base/errors.ts";
import { endPath, findPathOwner, takePath } from "#lib/db/hooks/hook-paths.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { changeHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import {
  addPreviousKey,
  countPreviousKeys,
  deletePreviousKeys,
} from "#lib/db/hooks/previous-keys.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { catchUrlRotationSchema, dayOfOverlap } from "#lib/schema/receive/hook.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Gives a hook a new generated catch URL, also if it had a path. The previous one works for another
 * `expirePreviousAfterSeconds` (0: it ends at once). A trigger on the row notifies every process in
 * the same transaction.
 */
export const rotateCatchUrl = service({
  permission: "hooks:write",
  input: catchUrlRotationSchema.extend({ id: recordId }),
  run: async (
    context,
    { id, keyPrefix, expirePreviousAfterSeconds: seconds },
  ): Promise<HookRecord> => {
    return await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      await replaceCatchUrl(tx, hook, seconds);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.catch_url.rotated", targets }, tx);
      return await changeHook(tx, id, { key: generateHookKey(keyPrefix) });
    });
  },
});

/** Ends every previous catch URL at once. */
export const endPreviousCatchUrls = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      await deletePreviousKeys(tx, hook.id);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.catch_url.ended", targets }, tx);
    });
  },
});

/** An owner who replaces the URL again and again has a leak that a new URL doesn't stop. */
const maxPreviousKeys = 10;

/**
 * Lets the current catch URL of a locked hook end in so many seconds (0: at once). Call it before
 * the hook gets another one. Throws `conflict` if too many previous ones still work.
 */
async function replaceCatchUrl(
  tx: Transaction,
  { id, accountId, key, path }: HookRecord,
  seconds: number,
): Promise<void> {
  const previous = await countPreviousKeys(tx, id);
  if (seconds > 0 && previous >= maxPreviousKeys) {
    const detail =
      `A hook has at most ${maxPreviousKeys} previous catch URLs. End them ` +
      "first, or rotate the URL with expirePreviousAfterSeconds 0.";
    throw new AppError("conflict", detail);
  }
  if (path !== null) await endPath(tx, { id, accountId, path }, seconds);
  else if (seconds > 0) await addPreviousKey(tx, id, { key, seconds });
}

/**
 * Changes the path of a locked hook. Its current catch URL keeps working for a day. Throws `conflict`
 * if another hook of the account has the path.
 *
 * @returns the columns to change. The generated URL that returns with null is one that no one has seen
 */
export async function changePath(
  tx: Transaction,
  before: HookRecord,
  path: string | null | undefined,
): Promise<{ readonly key?: string }> {
  if (path === undefined || path === before.path) return {};
  await replaceCatchUrl(tx, before, dayOfOverlap);
  if (path !== null) await requirePath(tx, { ...before, path });
  return before.path === null ? { key: generateHookKey(undefined) } : {};
}

/** Gives a hook without a path this one. Throws `conflict` if another hook of the account has it. */
export async function requirePath(
  tx: Transaction,
  hook: { readonly id: string; readonly accountId: string; readonly path: string },
): Promise<void> {
  if (await takePath(tx, hook)) return;
  const owner = await findPathOwner(tx, hook.accountId, hook.path);
  const message =
    owner === null || owner.expiresAt === null
      ? `belongs to the hook "${owner?.name ?? ""}": choose another one`
      : `belonged to the hook "${owner.name}", where it works until ` +
        `${owner.expiresAt.toISOString()}: choose another one, or end that hook's previous URLs`;
  throw new AppError("conflict", `path: ${message}.`, {
    errors: [{ path: "path", code: "conflict", message }],
    isOfField: true,
  });
}

/**
 * The last segment of a catch URL: 26 of 32 possible characters, so 130 random bits, which protect
 * hooks that verify nothing. The alphabet has no i, l, o, or u, so that people can read a URL
 * aloud.
 */
export function generateHookKey(prefix: string | undefined): string {
  const random = Array.from(randomBytes(keyChars), (byte) => alphabet[byte & 31]).join("");
  return prefix === undefined ? random : `${prefix}-${random}`;
}

const keyChars = 26;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
