import type { SeededShop } from "./seed-shop.ts";

/** Every page that somebody signed in can open, by the name of its picture. */
export function listPages(shop: SeededShop): Readonly<Record<string, string>> {
  return {
    home: "/",
    hooks: "/hooks",
    hook: `/hooks/${shop.hookId}`,
    "hook-paused": `/hooks/${shop.pausedHookId}`,
    "hook-settings": `/hooks/${shop.hookId}/settings`,
    "hook-new": "/hooks/new",
    "action-new": `/hooks/${shop.hookId}/actions/new`,
    action: `/actions/${shop.actionId}`,
    deliveries: "/deliveries",
    "deliveries-rejected": "/deliveries?status=rejected",
    delivery: `/deliveries/${shop.deliveryId}`,
    "delivery-duplicate": `/deliveries/${shop.duplicateId}`,
    "delivery-rejected": `/deliveries/${shop.rejectedId}`,
    "delivery-failing": `/deliveries/${shop.failingId}`,
    account: "/account",
    tokens: "/account/tokens",
    "not-found": "/deliveries/nothing",
  };
}
