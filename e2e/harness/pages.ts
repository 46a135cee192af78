import type { SeededShop } from "./seed-shop.ts";

/** Every page of a signed-in user, by screenshot name. */
export const dashboardPages: Readonly<Record<string, (shop: SeededShop) => string>> = {
  home: () => "/",
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
  action: ({ actionId }) => `/actions/${actionId}`,
  deliveries: () => "/deliveries",
  "deliveries-rejected": () => "/deliveries?status=rejected",
  delivery: ({ deliveryId }) => `/deliveries/${deliveryId}`,
  "delivery-duplicate": ({ duplicateId }) => `/deliveries/${duplicateId}`,
  "delivery-rejected": ({ rejectedId }) => `/deliveries/${rejectedId}`,
  "delivery-failing": ({ failingId }) => `/deliveries/${failingId}`,
  runs: () => "/runs",
  "runs-failed": () => "/runs?status=failed",
  account: () => "/account",
  tokens: () => "/account/tokens",
  "not-found": () => "/deliveries/nothing",
};
