import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const mercadoPagoConsecutive: Consecutive = (fresh) => {
  const payment = () => ({
    json: { id: fresh.digits(11), type: "payment", action: "payment.updated", data: { id: "1" } },
  });
  const order = (action: string, status: string, version: number) => ({
    json: {
      action,
      application_id: "6626499642890434",
      data: { currency_id: "", marketplace: "NONE", status },
      date_created: "2026-01-02T10:00:00.296-04:00",
      id: "29622218613",
      live_mode: true,
      status,
      type: "topic_merchant_order_wh",
      user_id: 1,
      version,
    },
  });
  return {
    two: [payment(), payment()],
    more: [
      { two: [order("create", "opened", 0), order("update", "closed", 1)] },
      { two: [order("update", "opened", 1), order("update", "opened", 2)] },
    ],
  };
};
