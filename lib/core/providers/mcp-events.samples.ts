import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://modelcontextprotocol.io/seps/3415-events-extension */
export const mcpEventsSamples: SampleEvents = [
  { type: "incident.created", make: (fresh) => occurrence(fresh) },
];

function occurrence(fresh: Fresh): SampleContent {
  return {
    json: {
      eventId: fresh.uuid(),
      name: "incident.created",
      timestamp: fresh.iso,
      data: {
        incidentId: "INC-1234",
        title: "The pool of database connections is exhausted",
        severity: "P1",
      },
      cursor: null,
    },
  };
}
