import { eventsAt } from "./events-at.ts";

/** Event ids alone are not unique, and `attemptNumber` changes with each attempt. */
export const hubspotBatch = eventsAt("", {
  eventId: [
    ["subscriptionId", "eventId", "occurredAt", "objectId"],
    ["subscriptionId", "eventId", "occurredAt"],
  ],
  eventType: [["subscriptionType"]],
});

export const hubspotSecret = "The app's client secret. Not an access token.";
