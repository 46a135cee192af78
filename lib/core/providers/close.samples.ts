import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.close.com/api/resources/webhooks */
export const closeSamples: SampleEvents = [
  { type: "created", make: (fresh) => ({ json: lead(fresh, "created") }) },
  { type: "updated", make: (fresh) => ({ json: lead(fresh, "updated") }) },
];

function lead(fresh: Fresh, action: string): object {
  const at = `${fresh.iso.slice(0, 23)}000`;
  return {
    event: {
      id: `ev_${fresh.text(22)}`,
      object_type: "lead",
      object_id: "lead_example",
      lead_id: "lead_example",
      action,
      date_created: at,
      date_updated: at,
      organization_id: "orga_example",
      user_id: "user_example",
      changed_fields: action === "updated" ? ["status_label"] : [],
      data: { id: "lead_example", name: "Example Shop", status_label: "Qualified" },
    },
    subscription_id: "whsub_example",
  };
}
