import { readTemplateOrigin } from "#lib/core/build-request/template-origin.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { ActionRecord } from "#lib/db/action-record.ts";
import { listActions } from "#lib/db/actions.ts";
import { getDelivery } from "#lib/db/deliveries.ts";
import { readDeliveryRelations } from "#lib/db/delivery-relations.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { getHook } from "#lib/db/hooks.ts";
import { isReplayable } from "#lib/schema/delivery.ts";
import type { DedupeSource } from "#lib/schema/hook.ts";
import { listSources } from "#lib/schema/hook.ts";
import { showDelivery } from "./api/show-delivery.ts";
import { catchUrl } from "./catch-url.ts";
import { toCurlCommand } from "./curl-command.ts";
import { viewBody } from "./delivery-body.ts";
import { readRunsOfDelivery } from "./delivery-runs.ts";
import { serverContext } from "./server-context.ts";
import { TextBudget } from "./text-budget.ts";

/** In bytes of the page. Together well under the megabyte that no delivery's page may reach. */
const budgets = { tree: 320_000, raw: 200_000, messages: 200_000, headers: 80_000 };
const mostHeaders = 200;

/** One delivery, the way it went, and what became of it, cut to what a page can hold. Throws `not_found`. */
export async function readDeliveryPage(accountId: string, deliveryId: string) {
  const context = serverContext();
  const { db, env } = context;
  const delivery = await getDelivery(db, accountId, deliveryId);
  const [hook, actions, relations] = await Promise.all([
    getHook(db, accountId, delivery.hookId),
    listActions(db, accountId, delivery.hookId, { limit: 100 }),
    readDeliveryRelations(db, accountId, delivery),
  ]);
  const runs = await readRunsOfDelivery(
    context,
    accountId,
    { id: delivery.id, receivedAt: delivery.receivedAt, actions: actions.items },
    new TextBudget(budgets.messages),
  );
  const shown = await showDelivery(delivery, []);
  const headerBudget = new TextBudget(budgets.headers);
  const query = shown.query === "" ? "" : `?${shown.query}`;
  const curl = toCurlCommand({
    url: `${catchUrl(env.publicUrl, hook)}${delivery.path}${query}`,
    method: delivery.method,
    headers: shown.rawHeaders,
    body: shown.bodyEncoding === "utf8" ? shown.body : null,
  });
  return {
    nowMs: Date.now(),
    delivery: {
      id: delivery.id,
      status: delivery.status,
      reason: delivery.reason,
      detail: delivery.detail,
      receivedAt: delivery.receivedAt,
      method: delivery.method,
      path: headerBudget.take(`${delivery.path}${query}`, 2_000).text,
      contentType: delivery.contentType,
      bodySize: delivery.bodySize,
      eventId: delivery.eventId === null ? null : headerBudget.take(delivery.eventId, 500).text,
      eventType: delivery.eventType === null ? null : headerBudget.take(delivery.eventType, 500).text,
      duplicateOf: delivery.duplicateOf,
      batchId: delivery.batchId,
      verificationOutcome: delivery.verificationOutcome,
      sourceIp: delivery.sourceIp,
    },
    hook: {
      id: hook.id,
      name: hook.name,
      status: hook.status,
      verifiesBy: verifiesBy(hook),
      dedupesBy: dedupesBy(hook),
      hasActions: actions.items.length > 0,
    },
    replayable: isReplayable(delivery.status) ? listReplayable(actions.items) : [],
    ...relations,
    body: viewBody(shown, { tree: new TextBudget(budgets.tree), raw: new TextBudget(budgets.raw) }),
    headers: shown.rawHeaders
      .slice(0, mostHeaders)
      .map(
        ([name, value]) => [headerBudget.take(name, 200).text, headerBudget.take(value, 4_000).text] as const,
      ),
    areHeadersCut: headerBudget.isSpent || shown.rawHeaders.length > mostHeaders,
    curl,
    suggestion: hook.provider === "generic" ? shown.suggestedProvider : null,
    ...runs,
  };
}

/** In the order in which they are queued. */
function listReplayable(actions: readonly ActionRecord[]) {
  return actions
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.position - b.position)
    .map(({ id, name, request: { method, url } }) => ({ id, name, method, host: hostOf(url) }));
}

function hostOf(url: string): string {
  return readTemplateOrigin(url)?.replace(/^https?:\/\//, "") ?? "a URL that the delivery decides";
}

function verifiesBy({ provider }: HookRecord): string {
  return findProvider(provider)?.name ?? (provider === "custom" ? "the hook's own scheme" : "nothing");
}

/** "the payload's id, or the header x-event-id"; null where nothing is compared. */
function dedupesBy({ dedupe }: HookRecord): string | null {
  const sources = listSources<DedupeSource>(dedupe).map((source) => {
    if (source.from === "content") return "the whole content";
    return source.from === "header" ? `the header ${source.name}` : `the payload's ${source.path}`;
  });
  return sources.length === 0 ? null : sources.join(", or ");
}
