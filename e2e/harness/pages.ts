import type { Dashboard } from "./dashboard.ts";
import type { SeededReceivers } from "./seed-receivers.ts";
import type { SeededSending } from "./seed-sending.ts";
import type { SeededShop } from "./seed-shop.ts";
import { waitUntil } from "./wait-until.ts";

export type Seeded = SeededShop & SeededSending & SeededReceivers & { readonly problemId: string };

/** Every page of a signed-in user and of the portal, by screenshot name. */
export const dashboardPages: Readonly<Record<string, (seeded: Seeded) => string>> = {
  home: () => "/",
  problems: () => "/problems",
  problem: ({ problemId }) => `/problems/${problemId}`,
  hooks: () => "/hooks",
  hook: ({ hookId }) => `/hooks/${hookId}`,
  "hook-paused": ({ pausedHookId }) => `/hooks/${pausedHookId}`,
  "hook-settings": ({ hookId }) => `/hooks/${hookId}/settings`,
  "hook-provider": ({ hookId }) => `/hooks/${hookId}/settings/provider`,
  "hook-provider-custom": ({ hookId }) => `/hooks/${hookId}/settings/provider?to=custom`,
  "hook-new": () => "/hooks/new",
  "hook-new-stripe": () => "/hooks/new?from=stripe",
  "hook-new-paypal": () => "/hooks/new?from=paypal",
  "action-new": ({ hookId }) => `/hooks/${hookId}/actions/new`,
  "action-import": ({ hookId }) => `/hooks/${hookId}/actions/import`,
  action: ({ actionId }) => `/actions/${actionId}`,
  "action-steps": ({ stepsActionId }) => `/actions/${stepsActionId}`,
  "action-versions": ({ actionId }) => `/actions/${actionId}/versions`,
  "action-version": ({ actionId }) => `/actions/${actionId}/versions/2`,
  backtest: ({ backtestId }) => `/backtests/${backtestId}`,
  deliveries: () => "/deliveries",
  "deliveries-rejected": () => "/deliveries?status=rejected",
  delivery: ({ deliveryId }) => `/deliveries/${deliveryId}`,
  "delivery-duplicate": ({ duplicateId }) => `/deliveries/${duplicateId}`,
  "delivery-rejected": ({ rejectedId }) => `/deliveries/${rejectedId}`,
  "delivery-failing": ({ failingId }) => `/deliveries/${failingId}`,
  runs: () => "/runs",
  "runs-failed": () => "/runs?status=failed",
  "runs-by-reason": () => "/runs?group=reason",
  "runs-of-subscription": ({ goneId }) => `/runs?subscriptionId=${goneId}&status=failed`,
  failures: () => "/failures",
  destinations: () => "/destinations",
  destination: ({ destinationId }) => `/destinations/${destinationId}`,
  credentials: () => "/credentials",
  credential: ({ credentialId }) => `/credentials/${credentialId}`,
  events: () => "/events",
  "event-new": () => "/events/new",
  event: ({ eventId }) => `/events/${eventId}`,
  subscriptions: () => "/subscriptions",
  subscription: ({ activeId }) => `/subscriptions/${activeId}`,
  "subscription-failing": ({ failingSubscriptionId: id }) => `/subscriptions/${id}`,
  "subscription-gone": ({ goneId }) => `/subscriptions/${goneId}`,
  "subscription-paused": ({ pausedId }) => `/subscriptions/${pausedId}`,
  "subscription-settings": ({ failingSubscriptionId: id }) => `/subscriptions/${id}/settings`,
  "subscription-new": () => "/subscriptions/new?recipient=cust_42",
  recipients: () => "/recipients",
  recipient: () => "/recipients/cust_42",
  "event-types": () => "/event-types",
  "event-type": () => "/event-types/invoice.paid",
  "event-types-import": () => "/event-types/import",
  "event-type-new": () => "/event-types/new",
  portal: ({ portal }) => portal,
  "portal-subscription": ({ portal, activeId }) => `${portal}/subscriptions/${activeId}`,
  "portal-subscription-new": ({ portal }) => `${portal}/subscriptions/new`,
  "portal-send": ({ portal, sendId }) => `${portal}/sends/${sendId}`,
  "portal-event-types": ({ portal }) => `${portal}/event-types`,
  "portal-event-type": ({ portal }) => `${portal}/event-types/invoice.paid`,
  account: () => "/account",
  "account-sign-in": () => "/account/sign-in",
  alerts: () => "/account/alerts",
  audit: () => "/account/audit",
  general: () => "/account/general",
  people: () => "/account/people",
  sending: () => "/account/sending",
  tokens: () => "/account/tokens",
  docs: () => "/docs",
  "docs-page": () => "/docs/api/deliveries",
  "docs-search": () => "/docs/search?q=retry",
  "not-found": () => "/deliveries/nothing",
};

/** Every page of a person who isn't signed in, by screenshot name. */
export const publicPages: Readonly<Record<string, (seeded: Seeded) => string>> = {
  "sign-in": () => "/sign-in",
  "sign-in-forgot": () => "/sign-in/forgot",
  "sign-in-reset": () => "/sign-in/reset?token=none",
  "invitation-ended": () => "/invitations/none",
  catalog: ({ catalog }) => catalog,
  "catalog-event-type": ({ catalog }) => `${catalog}/invoice.paid`,
};

/** The failures of the seeds open problems a little later. */
export async function findProblem({ api }: Dashboard): Promise<string> {
  return await waitUntil("a problem", 300_000, async () => {
    const { data } = await api("GET", "/problems?limit=1");
    return (data as readonly { readonly id: string }[])[0]?.id;
  });
}
