import type { SealPlace } from "#lib/core/seal/sealer.ts";

/** Where credentials are sealed that came with a delivery and can't be judged yet. */
export function headersPlace(accountId: string, deliveryId: string): SealPlace {
  return { accountId, table: "deliveries", rowId: deliveryId, field: "headers" };
}
