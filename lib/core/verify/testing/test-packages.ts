import { hmacPackages } from "./hmac-packages.ts";
import type { ProviderPackage } from "./provider-package.ts";
import { publicKeyPackages } from "./public-key-packages.ts";
import { standardWebhooksPackages } from "./standard-webhooks-packages.ts";

/** The providers' own packages, by the id of the provider. For tests. */
export const providerPackages: Readonly<Record<string, ProviderPackage>> = {
  ...hmacPackages,
  ...publicKeyPackages,
  ...standardWebhooksPackages,
};

/**
 * A body that every package can read: no field that one would parse further, no character that
 * JSON.stringify would change.
 */
export function packageText(nowMs: number): string {
  const named = { id: "evt_1", type: "a.b", event: "a", object: "x" };
  return JSON.stringify({ ...named, events: [], data: {}, webhookTimestamp: nowMs });
}
