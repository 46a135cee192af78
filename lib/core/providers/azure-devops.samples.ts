import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://learn.microsoft.com/en-us/azure/devops/service-hooks/events */
export const azureDevopsSamples: SampleEvents = [
  { type: "git.push", make: (fresh) => push(fresh, fresh.digits(4), fresh.uuid()) },
];

function push(fresh: Fresh, notificationId: number, id: string): SampleContent {
  return {
    json: {
      subscriptionId: "00000000-0000-4000-8000-000000000000",
      notificationId,
      id,
      eventType: "git.push",
      publisherId: "tfs",
      message: { text: "Jenny Rosen pushed updates to branch main of orders" },
      resource: {
        commits: [{ commitId: fresh.hex(40), comment: "Show prices with their currency" }],
        refUpdates: [{ name: "refs/heads/main", newObjectId: fresh.hex(40) }],
        repository: { id: "278d5cd2-584d-4b63-824a-2ba458937249", name: "orders" },
        pushId: fresh.digits(3),
      },
      resourceVersion: "1.0",
      createdDate: fresh.iso,
    },
  };
}
