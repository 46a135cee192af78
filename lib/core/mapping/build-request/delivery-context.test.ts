import { expect, it } from "vitest";
import { type DeliveryView, readDeliveryContext } from "./delivery-context.ts";

const delivery = (contentType: string, body: string): DeliveryView => ({
  id: "d",
  receivedAtMs: 0,
  method: "POST",
  path: "/",
  query: "",
  headers: [["Content-Type", contentType]],
  contentType,
  eventId: null,
  eventType: null,
  isSample: false,
  body: Buffer.from(body),
});

it.each([
  ["application/json", '{"a":"1"}', 9],
  ["application/x-www-form-urlencoded", "a=1&b=2", 7],
  ["application/json", "", 0],
])("knows the size of the payload: %s", async (contentType, body, payloadChars) => {
  const context = await readDeliveryContext(delivery(contentType, body), {
    id: "h",
    name: "A hook",
    payloadField: null,
  });
  expect(context.payloadChars).toBe(payloadChars);
});
