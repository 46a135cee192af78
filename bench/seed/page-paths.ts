import { encodeCursor } from "#lib/core/api/page.ts";
import { failingRecipient } from "./fill-sends.ts";
import type { PageRows } from "./tables.ts";

/**
 * Every list, filter, and page of the dashboard and the portal: name and path.
 *
 * @param portal the path of a portal link
 */
export function listPages(rows: PageRows, portal: string): readonly (readonly [string, string])[] {
  const { hook, action, delivery, subscription, event } = rows;
  const last = encodeCursor(rows.oldDelivery);
  const lastRun = encodeCursor(rows.oldRun);
  const always = "since=between&from=2020-01-01T00:00&to=2100-01-01T00:00";
  return [
    ["home", "/"],
    ["home, 30 days", "/?range=30d"],
    ["hooks", "/hooks"],
    ["hook", `/hooks/${hook}`],
    ["hook, last page", `/hooks/${hook}?cursor=${last}`],
    ["hook, rejected", `/hooks/${hook}?status=rejected`],
    ["hook, of a type", `/hooks/${hook}?eventType=invoice.paid`],
    ["hook, text that is nowhere", `/hooks/${hook}?q=nowhere`],
    ["hook settings", `/hooks/${hook}/settings`],
    ["hook provider", `/hooks/${hook}/settings/provider`],
    ["new hook", "/hooks/new"],
    ["new action", `/hooks/${hook}/actions/new`],
    ["action", `/actions/${action}`],
    ["deliveries", "/deliveries"],
    ["deliveries, last page", `/deliveries?cursor=${last}`],
    ["deliveries, accepted", "/deliveries?status=accepted"],
    ["deliveries, rejected", "/deliveries?status=rejected"],
    ["deliveries, duplicate", "/deliveries?status=duplicate"],
    ["deliveries, pending", "/deliveries?status=pending"],
    ["deliveries, of a hook", `/deliveries?hookId=${hook}`],
    ["deliveries, of a type", "/deliveries?eventType=invoice.paid"],
    ["deliveries, of a type, last page", `/deliveries?eventType=invoice.paid&cursor=${last}`],
    ["deliveries, rejected, of a type", "/deliveries?status=rejected&eventType=invoice.paid"],
    ["deliveries, of a type that is nowhere", "/deliveries?eventType=nowhere"],
    ["deliveries, samples", "/deliveries?isSample=true"],
    ["deliveries, last hour", "/deliveries?since=1h"],
    ["deliveries, between two times", `/deliveries?${always}`],
    ["deliveries, one event id", "/deliveries?eventId=evt_seed_777"],
    ["deliveries, text that is nowhere", "/deliveries?q=nowhere"],
    ["delivery", `/deliveries/${delivery}`],
    ["runs", "/runs"],
    ["runs, last page", `/runs?cursor=${lastRun}`],
    ["runs, succeeded", "/runs?status=succeeded"],
    ["runs, failed", "/runs?status=failed"],
    ["runs, failed, last page", `/runs?status=failed&cursor=${lastRun}`],
    ["runs, queued", "/runs?status=queued"],
    ["runs, running", "/runs?status=running"],
    ["runs, failed today, of an action", `/runs?status=failed&since=24h&actionId=${action}`],
    ["runs, of a hook", `/runs?hookId=${hook}`],
    ["runs, failed, of a hook", `/runs?hookId=${hook}&status=failed`],
    ["runs, with a reason", "/runs?status=failed&reason=http_400"],
    ["runs, by reason", "/runs?group=reason"],
    ["runs, failed, by reason", "/runs?status=failed&group=reason"],
    ["failures", "/problems/failures"],
    ["failures, 30 days", "/problems/failures?range=30d"],
    ["runs, between two times", `/runs?${always}`],
    ["runs, text that is nowhere", "/runs?q=nowhere"],
    ["event types to choose from", "/api/event-types"],
    ["search", "/api/search?q=evt_seed_777"],
    ["events", "/events"],
    ["event", `/events/${event}`],
    ["event types", "/event-types"],
    ["event type", "/event-types/invoice.paid"],
    ["subscriptions", "/subscriptions"],
    ["subscription", `/subscriptions/${subscription}`],
    ["runs, failed, of a subscription", `/runs?subscriptionId=${subscription}&status=failed`],
    ["recipients", "/recipients"],
    ["recipient", `/recipients/${failingRecipient}`],
    ["portal", portal],
    ["portal, subscription", `${portal}/subscriptions/${subscription}`],
    ["portal, event type", `${portal}/event-types/invoice.paid`],
    ["problems", "/problems"],
    ["docs", "/docs"],
    ["docs, search", "/docs/search?q=retry"],
    ["account", "/account"],
    ["people", "/account/people"],
    ["alerts", "/account/alerts"],
    ["audit log", "/account/audit"],
    ["tokens", "/account/tokens"],
  ];
}
