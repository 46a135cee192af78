import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide */
export const hubspotSamples: SampleEvents = [
  {
    type: "contact.creation",
    make: (fresh) => ({
      json: [hubspotEvent(fresh, "contact.creation", { changeFlag: "CREATED" })],
    }),
  },
  {
    type: "contact.propertyChange",
    make: (fresh) => ({
      json: [
        hubspotEvent(fresh, "contact.propertyChange", {
          propertyName: "lifecyclestage",
          propertyValue: "customer",
        }),
        hubspotEvent(fresh, "contact.propertyChange", {
          propertyName: "city",
          propertyValue: "Portland",
        }),
      ],
    }),
  },
  {
    type: "deal.creation",
    make: (fresh) => ({ json: [hubspotEvent(fresh, "deal.creation", { changeFlag: "CREATED" })] }),
  },
];

function hubspotEvent(fresh: Fresh, subscriptionType: string, change: object): object {
  return {
    eventId: fresh.digits(10),
    subscriptionId: 25,
    portalId: 62_515,
    appId: 1_160_452,
    occurredAt: fresh.nowMs,
    subscriptionType,
    attemptNumber: 0,
    objectId: fresh.digits(6),
    changeSource: "CRM_UI",
    ...change,
  };
}
