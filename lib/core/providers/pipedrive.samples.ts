import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** https://pipedrive.readme.io/docs/guide-for-webhooks-v2 */
export const pipedriveSamples: SampleEvents = [
  { type: "create", make: (fresh) => ({ json: deal(fresh, "create", fresh.iso) }) },
  { type: "change", make: (fresh) => ({ json: deal(fresh, "change", fresh.iso) }) },
];

function deal(fresh: Fresh, action: string, timestamp: string, dealId = fresh.digits(6)): object {
  return {
    meta: {
      action,
      company_id: "1042",
      correlation_id: fresh.uuid(),
      entity: "deal",
      entity_id: String(dealId),
      id: fresh.uuid(),
      is_bulk_edit: false,
      timestamp,
      type: "general",
      user_id: "456",
      version: "2.0",
      webhook_id: "789",
    },
    data: {
      id: dealId,
      title: "Order 1042",
      value: 4200,
      currency: "USD",
      status: "open",
      update_time: timestamp,
    },
    previous: action === "create" ? null : { value: 3000 },
  };
}

/** Two events about the same object. */
export const pipedriveConsecutive: Consecutive = (fresh) => ({
  two: [
    { json: deal(fresh, "change", "2026-01-02T10:00:00.001Z", 123) },
    { json: deal(fresh, "change", "2026-01-02T10:00:00.002Z", 123) },
  ],
  again: { json: { ...deal(fresh, "change", "2026-01-02T10:00:00.001Z", 123), retry: 1 } },
});
