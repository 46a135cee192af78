import { findProvider } from "#lib/core/verify/providers.ts";
import { listActions } from "#lib/db/actions.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { getHook } from "#lib/db/hooks.ts";
import { findLastDeliveries } from "#lib/db/overview.ts";
import { catchUrl } from "./catch-url.ts";
import { toCurlCommand } from "./curl-command.ts";
import { isSecretMissing, providerName } from "./describe-hook.ts";
import { serverContext } from "./server-context.ts";

/** As many as a hook can have. */
const mostActions = 100;

/** A hook and its actions, in the order they run. Throws `not_found`. */
export async function readHookPage(accountId: string, hookId: string) {
  const { db } = serverContext();
  const hook = await getHook(db, accountId, hookId);
  const [actions, last] = await Promise.all([
    listActions(db, accountId, hook.id, { limit: mostActions }),
    findLastDeliveries(db, accountId, [hook.id]),
  ]);
  return {
    nowMs: Date.now(),
    hook: viewHook(hook),
    isWaiting: !last.has(hook.id),
    actions: actions.items
      .toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
      .map(({ id, name, enabled, request: { method, url } }) => ({ id, name, enabled, method, url })),
  };
}

/** What the settings of a hook show. Throws `not_found`. */
export async function readHookSettings(accountId: string, hookId: string) {
  const hook = await getHook(serverContext().db, accountId, hookId);
  return {
    nowMs: Date.now(),
    hook: viewHook(hook),
    secrets: hook.secrets.map(({ id, hint, createdAt, expiresAt }) => ({ id, hint, createdAt, expiresAt })),
  };
}

function viewHook(hook: HookRecord) {
  const { id, name, status, provider } = hook;
  const known = findProvider(provider);
  const url = catchUrl(serverContext().env.publicUrl, hook);
  return {
    id,
    name,
    status,
    providerName: providerName(provider),
    isSigned: provider !== "generic",
    isSecretMissing: isSecretMissing(hook),
    catchUrl: url,
    whereToPaste: known?.whereToPaste ?? null,
    secretHelp: known?.secretHelp ?? null,
    testCommand: provider === "generic" ? testCommand(url, hook.methods[0] ?? "POST") : null,
  };
}

/** An event that any hook which is not signed takes. */
function testCommand(url: string, method: string): string | null {
  const body = JSON.stringify({ id: "evt_test_1", type: "test.sent", data: { object: { name: "Ada" } } });
  return toCurlCommand({ url, method, headers: [["Content-Type", "application/json"]], body });
}
