import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.pandadoc.com/docs/webhook-events */
export const pandadocSamples: SampleEvents = [
  {
    type: "document_state_changed",
    make: (fresh) => ({
      json: [documentCompleted(fresh)],
    }),
  },
];

function documentCompleted(fresh: Fresh): object {
  return {
    event: "document_state_changed",
    data: {
      id: fresh.text(22),
      name: "Order 1042",
      date_created: fresh.isoSeconds,
      date_modified: `${fresh.iso.slice(0, 23)}456Z`,
      status: "document.completed",
      created_by: { id: "A1b2C3d4", email: "host@example.com" },
      recipients: [{ id: "E5f6G7h8", email: "jenny.rosen@example.com", has_completed: true }],
    },
  };
}
