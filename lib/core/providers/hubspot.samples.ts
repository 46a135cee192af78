import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

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

/** Two events about the same object, with the id of one event and in the same millisecond. */
export const hubspotConsecutive: Consecutive = (fresh) => {
  const event = (type: string, about: object, attemptNumber = 0) => ({
    json: [
      {
        eventId: 1,
        subscriptionId: 2,
        subscriptionType: type,
        occurredAt: fresh.nowMs,
        attemptNumber,
        ...about,
      },
    ],
  });
  const pair = (type: string, one: object, other: object) => ({
    two: [event(type, one), event(type, other)] as const,
    again: event(type, one, 1),
  });
  const link = {
    associationType: "CONTACT_TO_COMPANY",
    fromObjectId: 3,
    toObjectId: 4,
    associationRemoved: false,
  };
  const merge = { primaryObjectId: 3, mergedObjectIds: [3, 4], newObjectId: 9 };
  return {
    ...pair("contact.propertyChange", { objectId: 3 }, { objectId: 4 }),
    more: [
      ...[
        { toObjectId: 5 },
        { fromObjectId: 5 },
        { associationType: "CONTACT_TO_COMPANY_UNLABELED" },
        { associationRemoved: true },
      ].map((change) => pair("contact.associationChange", link, { ...link, ...change })),
      pair("contact.merge", merge, { ...merge, mergedObjectIds: [3, 5] }),
      pair(
        "contact.propertyChange",
        { objectId: 3, propertyName: "city" },
        { objectId: 3, propertyName: "state" },
      ),
    ],
  };
};
