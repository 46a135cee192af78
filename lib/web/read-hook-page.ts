import { findProvider } from "#lib/core/verify/providers.ts";
import { listActions } from "#lib/db/actions.ts";
import { countHookContents, countKept } from "#lib/db/hook-contents.ts";
import type { HookRecord, HookSecretSummary } from "#lib/db/hook-record.ts";
import { defaultDedupe, defaultEventType } from "#lib/db/hook-rules.ts";
import { listDeliveries } from "#lib/db/list-deliveries.ts";
import { catchUrl } from "./catch-url.ts";
import { isSecretMissing, providerName, readVerifyToken } from "./describe-hook.ts";
import { describeProof } from "./describe-proof.ts";
import { listTestTypes } from "./prepare-test-delivery.ts";
import { readHook } from "./read-named.ts";
import { serverContext } from "./server-context.ts";

/** As many as a hook can have. */
const mostActions = 100;

/** A hook and its actions, in the order they run. Throws `not_found`. */
export async function readHookPage(accountId: string, hookId: string) {
  const { db } = serverContext();
  const hook = await readHook(accountId, hookId);
  const [actions, kept, openRuns] = await Promise.all([
    listActions(db, accountId, hook.id, { limit: mostActions }),
    countKept(db, accountId, hook.id),
    countWaiting(accountId, hook),
  ]);
  const isGuided = actions.items.length === 0;
  return {
    nowMs: Date.now(),
    hook: { ...viewHook(hook), openRuns },
    kept,
    hasArrivedSecret: hook.secrets.some(hasArrivedToday),
    testTypes: listTestTypes(hook),
    /** Until there is an action, the page leads to it. */
    guide: isGuided ? { delivery: await findGuidingDelivery(accountId, hook.id) } : null,
    actions: actions.items
      .toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
      .map(({ id, name, enabled, request: { method, url } }) => ({ id, name, enabled, method, url })),
  };
}

const dayMs = 86_400_000;

function hasArrivedToday({ origin, createdAt }: HookSecretSummary): boolean {
  return origin === "handshake" && createdAt.getTime() > Date.now() - dayMs;
}

/** What can be mapped, or else what waits, or was refused. A handshake is no event to go on with. */
async function findGuidingDelivery(accountId: string, hookId: string) {
  const { db } = serverContext();
  for (const wanted of ["accepted", "pending", "rejected"] as const) {
    const { items } = await listDeliveries(db, accountId, { hookId, status: wanted }, { limit: 1 });
    const [found] = items;
    if (found === undefined) continue;
    const { id, status, reason, detail, receivedAt, eventType, verificationOutcome } = found;
    return { id, status, reason, detail, receivedAt, eventType, verificationOutcome };
  }
  return null;
}

/** What the settings of a hook show. Throws `not_found`. */
export async function readHookSettings(accountId: string, hookId: string) {
  const hook = await readHook(accountId, hookId);
  const { dedupe, eventType, methods, splitBatches, response, provider } = hook;
  return {
    nowMs: Date.now(),
    hook: {
      ...viewHook(hook),
      openRuns: await countWaiting(accountId, hook),
      ...{ dedupe, eventType, methods, splitBatches, response },
      usualDedupe: { rule: defaultDedupe(provider), sender: whoCallsFor(provider, "eventId") },
      usualEventType: { rule: defaultEventType(provider), sender: whoCallsFor(provider, "eventType") },
    },
    secrets: hook.secrets.map(({ id, hint, createdAt, expiresAt }) => ({ id, hint, createdAt, expiresAt })),
  };
}

/** The sender whose events call for the usual rule; null: it is what most senders do. */
function whoCallsFor(provider: string, what: "eventId" | "eventType"): string | null {
  const known = findProvider(provider);
  return known !== undefined && known[what].length > 0 ? known.name : null;
}

/** What changing the sender of a hook starts from. Throws `not_found`. */
export async function readHookSender(accountId: string, hookId: string) {
  const hook = await readHook(accountId, hookId);
  const { id, name, provider, verification, secrets } = hook;
  return { id, name, provider, verification, hasSecret: secrets.length > 0 };
}

/** Runs that wait because the hook is paused. */
async function countWaiting(accountId: string, { id, status }: HookRecord) {
  if (status !== "paused") return { count: 0, isMore: false };
  return (await countHookContents(serverContext().db, accountId, id)).openRuns;
}

function viewHook(hook: HookRecord) {
  const { id, name, status, provider, pending } = hook;
  const known = findProvider(provider);
  const url = catchUrl(serverContext().env.publicUrl, hook);
  return {
    id,
    name,
    status,
    provider,
    providerName: providerName(provider),
    senderName: known?.name ?? null,
    isSigned: provider !== "generic",
    keepsUntil: pending?.until ?? null,
    missing: isSecretMissing(hook) ? describeProof(hook) : null,
    catchUrl: url,
    whereToPaste: known?.whereToPaste ?? null,
    verifyToken: readVerifyToken(hook),
    docsUrl: known?.docsUrl ?? null,
    ...describeProof(hook),
  };
}
