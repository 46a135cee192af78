import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const metaConsecutive: Consecutive = () => {
  const common = { object: "whatsapp_business_account" };
  return {
    two: [
      {
        json: {
          ...common,
          entry: [
            {
              id: "1",
              changes: [
                { field: "messages", value: { statuses: [{ id: "wamid.1", status: "sent" }] } },
              ],
            },
          ],
        },
      },
      {
        json: {
          ...common,
          entry: [
            {
              id: "1",
              changes: [
                {
                  field: "messages",
                  value: { statuses: [{ id: "wamid.1", status: "delivered" }] },
                },
              ],
            },
          ],
        },
      },
    ],
  };
};
