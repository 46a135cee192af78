import type { SealPlace } from "#lib/core/seal/sealer.ts";

/** Where the credentials of a pending delivery are sealed. */
export function headersPlace(accountId: string, deliveryId: string): SealPlace {
  return { accountId, table: "deliveries", rowId: deliveryId, field: "headers" };
}
