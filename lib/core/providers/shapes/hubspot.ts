import { eventsAt } from "./events-at.ts";

/**
 * Event ids are not unique, and an association change or a merge has its object ids in different
 * fields, so all fields count except `attemptNumber`.
 */
export const hubspotBatch = eventsAt("", {
  eventId: [["subscriptionId", "eventId", "occurredAt"]],
  except: ["attemptNumber"],
  eventType: [["subscriptionType"]],
});

export const hubspotIdentity = {
  why:
    "eventId is not unique, and what an event is about is in different " +
    "fields for properties, associations, and merges, so every field counts " +
    "except attemptNumber, which changes with each try.",
  source: "https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide",
} as const;

export const hubspotSecret = "The app's client secret. Not an access token.";
