import { getVersion, listVersions } from "#lib/services/actions/read-actions.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listChanges, showVersion } from "#lib/web/actions/version-view.ts";
import { readAction, readHook } from "#lib/web/request/read-named.ts";

/** The versions of an action. Throws `not_found`. */
export async function readVersionsPage(context: ServiceContext, actionId: string, cursor?: string) {
  const named = await readOwners(context, actionId);
  const { items, nextCursor } = await listVersions(context, { id: named.action.id, cursor });
  return { ...named, versions: items, nextCursor, nowMs: context.now().getTime() };
}

/** One version with what it changed. Throws `not_found`. */
export async function readVersionPage(context: ServiceContext, actionId: string, number: string) {
  const named = await readOwners(context, actionId);
  const version = await getVersion(context, { id: named.action.id, number });
  return {
    ...named,
    version: showVersion(version),
    hasBefore: version.before !== null,
    changes: listChanges(version),
    nowMs: context.now().getTime(),
  };
}

async function readOwners(context: ServiceContext, actionId: string) {
  const { id, name, version, hookId } = await readAction(context, actionId);
  const hook = await readHook(context, hookId);
  return { action: { id, name, version }, hook: { id: hook.id, name: hook.name } };
}
