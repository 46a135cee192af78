import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const azureEventGridConsecutive: Consecutive = (fresh) => ({
  two: [
    {
      json: [
        {
          id: fresh.uuid(),
          topic: "/subscriptions/1",
          subject: "blob/a",
          eventType: "Microsoft.Storage.BlobCreated",
        },
      ],
    },
    {
      json: [
        {
          id: fresh.uuid(),
          topic: "/subscriptions/1",
          subject: "blob/a",
          eventType: "Microsoft.Storage.BlobCreated",
        },
      ],
    },
  ],
});
