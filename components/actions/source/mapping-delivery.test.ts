import { expect, test } from "vitest";
import { describeOption } from "./mapping-delivery.ts";

test("a delivery is named by what differs: its event id, or else its type and time", () => {
  const receivedAt = new Date("2026-11-23T10:42:07.123Z");
  const delivery = { id: "1", eventType: "order.paid", eventId: "evt_1", isSample: false };
  expect(describeOption({ ...delivery, receivedAt }, "Asia/Tokyo")).toEqual({
    title: "evt_1",
    details: "order.paid, 2026-11-23 19:42:07 GMT+9",
  });
  expect(describeOption({ ...delivery, eventId: null, isSample: true, receivedAt }, "UTC")).toEqual(
    {
      title: "order.paid",
      details: "2026-11-23 10:42:07 UTC, sample",
    },
  );
  const nameless = { ...delivery, eventId: null, eventType: null, receivedAt };
  expect(describeOption(nameless, "UTC").title).toBe("Delivery");
});
