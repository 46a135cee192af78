import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://pipedrive.readme.io/docs/guide-for-webhooks-v2 */
export const pipedriveSamples: SampleEvents = [
  { type: "create", make: (fresh) => ({ json: deal(fresh, "create") }) },
  { type: "change", make: (fresh) => ({ json: deal(fresh, "change") }) },
];

function deal(fresh: Fresh, action: string): object {
  const id = fresh.digits(6);
  return {
    meta: {
      action,
      company_id: "1042",
      correlation_id: fresh.uuid(),
      entity: "deal",
      entity_id: String(id),
      id: fresh.uuid(),
      is_bulk_edit: false,
      timestamp: fresh.iso,
      type: "general",
      user_id: "456",
      version: "2.0",
      webhook_id: "789",
    },
    data: {
      id,
      title: "Order 1042",
      value: 4200,
      currency: "USD",
      status: "open",
      update_time: fresh.iso,
    },
    previous: action === "create" ? null : { value: 3000 },
  };
}
