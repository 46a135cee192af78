import { AppError } from "#lib/base/errors.ts";
import { endPath, findPathOwner, takePath } from "#lib/db/hooks/hook-paths.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { addPreviousKey, countPreviousKeys } from "#lib/db/hooks/previous-keys.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { dayOfOverlap } from "#lib/schema/receive/hook.ts";
import { generateHookKey } from "./hook-key.ts";

/** An owner who replaces the URL again and again has a leak that a new URL doesn't stop. */
const maxPreviousKeys = 10;

/**
 * Lets the current catch URL of a locked hook end in so many seconds (0: at once). Call it before
 * the hook gets another one. Throws `conflict` if too many previous ones still work.
 */
export async function replaceCatchUrl(
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
