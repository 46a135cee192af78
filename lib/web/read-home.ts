import { listHooks } from "#lib/db/hooks.ts";
import { findLastDeliveries, listLatestDeliveries } from "#lib/db/overview.ts";
import { catchUrl } from "./catch-url.ts";
import { isSecretMissing, providerName } from "./describe-hook.ts";
import { serverContext } from "./server-context.ts";

const shownHooks = 100;
const shownDeliveries = 50;

/** What the first page shows of an account. `nowMs` is the clock that its ages are counted by. */
export async function readHome(accountId: string) {
  const { db, env } = serverContext();
  const { items } = await listHooks(db, accountId, { limit: shownHooks });
  const [last, deliveries] = await Promise.all([
    findLastDeliveries(
      db,
      accountId,
      items.map((hook) => hook.id),
    ),
    listLatestDeliveries(db, accountId, shownDeliveries),
  ]);
  const names = new Map(items.map((hook) => [hook.id, hook.name]));
  return {
    nowMs: Date.now(),
    hooks: items.map((hook) => ({
      id: hook.id,
      name: hook.name,
      status: hook.status,
      providerName: providerName(hook.provider),
      catchUrl: catchUrl(env.publicUrl, hook),
      isSecretMissing: isSecretMissing(hook),
      last: last.get(hook.id) ?? null,
    })),
    deliveries: deliveries.map((delivery) => ({
      id: delivery.id,
      hookName: names.get(delivery.hookId) ?? "",
      status: delivery.status,
      reason: delivery.reason,
      detail: delivery.detail,
      receivedAt: delivery.receivedAt,
      eventType: delivery.eventType,
      eventId: delivery.eventId,
      verificationOutcome: delivery.verificationOutcome,
      runs: delivery.runs,
    })),
  };
}
