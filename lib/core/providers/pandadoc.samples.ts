import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.pandadoc.com/docs/webhook-events */
export const pandadocSamples: SampleEvents = [
  {
    type: "document_state_changed",
    make: (fresh) => ({
      json: [documentChanged(fresh, "document.completed", `${fresh.iso.slice(0, 23)}456Z`)],
    }),
  },
];

function documentChanged(
  fresh: Fresh,
  status: string,
  modified: string,
  id = fresh.text(22),
): object {
  return {
    event: "document_state_changed",
    data: {
      id,
      name: "Order 1042",
      date_created: fresh.isoSeconds,
      date_modified: modified,
      status,
      created_by: { id: "A1b2C3d4", email: "host@example.com" },
      recipients: [{ id: "E5f6G7h8", email: "jenny.rosen@example.com", has_completed: true }],
    },
  };
}

/** Two events about the same object. */
export const pandadocConsecutive: Consecutive = (fresh) => {
  const changed = (at: string) => [documentChanged(fresh, "document.viewed", at, "d1")];
  const [one, other] = ["2026-01-02T10:00:00.000001Z", "2026-01-02T10:00:00.000002Z"] as const;
  const event = () => ({
    headers: { "x-pandadoc-webhook-event-id": fresh.uuid() },
    json: changed(one),
  });
  return {
    two: [event(), event()],
    // The form until July 2026.
    more: [{ two: [{ json: changed(one) }, { json: changed(other) }] }],
  };
};
