import { getVersion, listVersions } from "#lib/db/actions/action-versions.ts";
import { AppError } from "#lib/errors.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listChanges, showVersion } from "#lib/web/actions/version-view.ts";
import { readAction, readHook } from "#lib/web/request/read-named.ts";

const pageSize = 50;

/** The versions of an action. Throws `not_found`. */
export async function readVersionsPage(
  context: ServiceContext,
  accountId: string,
  actionId: string,
  cursor?: string,
) {
  const named = await readOwners(context, actionId);
  const page = { limit: pageSize, cursor };
  const { items, nextCursor } = await listVersions(context.db, accountId, actionId, page);
  return { ...named, versions: items, nextCursor, nowMs: Date.now() };
}

/** One version with what it changed. Throws `not_found`. */
export async function readVersionPage(
  context: ServiceContext,
  accountId: string,
  actionId: string,
  number: string,
) {
  if (!/^[1-9]\d{0,8}$/.test(number)) throw new AppError("not_found", "There is no such version.");
  const named = await readOwners(context, actionId);
  const version = await getVersion(context.db, accountId, actionId, Number(number));
  return {
    ...named,
    version: showVersion(version),
    hasBefore: version.before !== null,
    changes: listChanges(version),
    nowMs: Date.now(),
  };
}

async function readOwners(context: ServiceContext, actionId: string) {
  const { id, name, version, hookId } = await readAction(context, actionId);
  const hook = await readHook(context, hookId);
  return { action: { id, name, version }, hook: { id: hook.id, name: hook.name } };
}
