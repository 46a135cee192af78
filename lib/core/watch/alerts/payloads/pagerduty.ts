import { shorten } from "#lib/base/shorten.ts";
import type { AlertMessage } from "../alert-message.ts";

/**
 * Events API v2: https://developer.pagerduty.com/docs/send-alert-event. All events of a problem have
 * its id as `dedup_key`, so a repeated trigger adds to the same incident. A test is an incident of
 * its own.
 */
export function toPagerDuty(
  { id, event, title, text, facts, url, account, problem }: AlertMessage,
  routingKey: string,
) {
  const key = { routing_key: routingKey, dedup_key: `catchment-${problem?.id ?? id}` };
  if (event === "resolved") return { ...key, event_action: "resolve" };
  if (event === "acknowledged") return { ...key, event_action: "acknowledge" };
  return {
    ...key,
    event_action: "trigger",
    client: "Catchment",
    client_url: url,
    payload: {
      summary: shorten(title, 1_024),
      source: shorten(account, 255),
      severity: event === "test" || event === "digest" ? "info" : "error",
      ...(problem !== null && {
        timestamp: problem.firstAt.toISOString(),
        class: problem.kind,
        component: shorten(
          problem.actionName ?? problem.hookName ?? hostOf(problem.receiverUrl) ?? account,
          255,
        ),
      }),
      custom_details: { ...Object.fromEntries(facts), ...(text !== null && { message: text }) },
    },
    links: [{ href: url, text: "Open in Catchment" }],
  };
}

/** The rest of a receiver's URL may be a secret of the customer. */
function hostOf(url: string | null): string | undefined {
  return url === null ? undefined : URL.parse(url)?.host;
}
