import { hubspotSamples } from "./hubspot.samples.ts";
import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** The same events, with any signature method. */
export const hubspotV1Samples: SampleEvents = hubspotSamples;

/** Two events about the same object. */
export const hubspotV1Consecutive: Consecutive = (fresh) => {
  const event = {
    eventId: 1,
    subscriptionId: 2,
    subscriptionType: "contact.propertyChange",
    occurredAt: fresh.nowMs,
  };
  const first = { ...event, objectId: 3, attemptNumber: 0 };
  return {
    two: [{ json: [first] }, { json: [{ ...first, objectId: 4 }] }],
    again: { json: [{ ...first, attemptNumber: 1 }] },
  };
};
