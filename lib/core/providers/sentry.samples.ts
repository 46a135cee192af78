import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
export const sentrySamples: SampleEvents = [
  {
    type: "issue",
    make: (fresh) => {
      const id = String(fresh.digits(10));
      return {
        headers: {
          "request-id": fresh.uuid().replaceAll("-", ""),
          "sentry-hook-resource": "issue",
          "sentry-hook-timestamp": String(fresh.seconds),
        },
        json: {
          action: "created",
          installation: { uuid: "a8e5d37a-696c-4c54-adb5-b3f28d64c7de" },
          data: {
            issue: {
              id,
              shortId: `CHECKOUT-${fresh.text(2).toUpperCase()}`,
              title: "TypeError: currency is undefined",
              culprit: "src/format-price",
              level: "error",
              status: "unresolved",
              substatus: "new",
              platform: "javascript",
              type: "error",
              metadata: {
                type: "TypeError",
                value: "currency is undefined",
                filename: "src/format-price.ts",
              },
              project: { id: "1", name: "check-out", slug: "check-out", platform: "javascript" },
              count: "1",
              userCount: 1,
              firstSeen: fresh.iso,
              lastSeen: fresh.iso,
              web_url: `https://example.sentry.io/issues/${id}/`,
            },
          },
          actor: { type: "application", id: "sentry", name: "Sentry" },
        },
      };
    },
  },
];
