import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const quickbooksConsecutive: Consecutive = () => {
  return {
    two: [
      {
        json: {
          eventNotifications: [
            {
              realmId: "1",
              dataChangeEvent: {
                entities: [
                  {
                    name: "Customer",
                    id: "1",
                    operation: "Update",
                    lastUpdated: "2026-01-02T10:00:00.001Z",
                  },
                ],
              },
            },
          ],
        },
      },
      {
        json: {
          eventNotifications: [
            {
              realmId: "1",
              dataChangeEvent: {
                entities: [
                  {
                    name: "Customer",
                    id: "1",
                    operation: "Update",
                    lastUpdated: "2026-01-02T10:00:00.002Z",
                  },
                ],
              },
            },
          ],
        },
      },
    ],
  };
};
