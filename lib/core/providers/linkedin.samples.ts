import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/**
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-social-action-notifications
 */
export const linkedinSamples: SampleEvents = [
  {
    type: "ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS",
    make: (fresh) => ({ json: social(fresh, "LIKE") }),
  },
  {
    type: "LEAD_ACTION",
    make: (fresh) => ({
      json: {
        type: "LEAD_ACTION",
        leadGenFormResponse: `urn:li:leadGenFormResponse:${fresh.uuid()}`,
        leadGenForm: "urn:li:versionedLeadGenForm:(urn:li:leadGenForm:3162,1)",
        owner: { organization: "urn:li:organization:5509810" },
        associatedEntity: { creative: "urn:li:sponsoredCreative:206645614" },
        leadType: "SPONSORED",
        leadAction: "CREATED",
        occurredAt: fresh.nowMs,
      },
    }),
  },
];

function social(fresh: Fresh, action: string): object {
  return {
    type: "ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS",
    notifications: [
      {
        notificationId: fresh.digits(13),
        organizationalEntity: "urn:li:organization:5509810",
        subscriber: "urn:li:person:example",
        action,
        sourcePost: "urn:li:share:7000000000000000001",
        lastModifiedAt: fresh.nowMs,
      },
    ],
  };
}
