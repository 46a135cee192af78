import { expect, it } from "vitest";
import { readEventBusFault, toEventBusRequest } from "./to-event-bus-request.ts";

const settings = { type: "eventbridge", eventBus: "orders", source: "shop" } as const;
const build = (body: string) =>
  toEventBusRequest({
    ...{ endpoint: "https://events.eu-west-1.amazonaws.com", eventType: "a.b", settings },
    ...{ body: Buffer.from(body), version: "1" },
  });

it.each([
  ["[]", /isn't a JSON object/],
  ["no JSON", /isn't a JSON object/],
  [`{"a":"${"x".repeat(1_048_576)}"}`, /has \d+ bytes\. The limit is 1 MiB/],
])("%.10s can't be put on a bus", (body, message) => {
  expect(build(body)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
});

it("an event of exactly the limit is sent, and one byte more isn't", () => {
  // The source, the type, and the time count.
  const room = 1_048_576 - "shop".length - "a.b".length - 14 - '{"a":""}'.length;
  expect(build(`{"a":"${"x".repeat(room)}"}`).ok).toBe(true);
  expect(build(`{"a":"${"x".repeat(room + 1)}"}`).ok).toBe(false);
});

const failed = (ErrorCode: string) =>
  JSON.stringify({ FailedEntryCount: 1, Entries: [{ ErrorCode, ErrorMessage: "why" }] });

it.each([
  [200, '{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}', null],
  [200, failed("ThrottlingException"), "unavailable"],
  [200, failed("InternalFailure"), "unavailable"],
  [200, failed("InternalException"), "unavailable"],
  [200, failed("ServiceUnavailableException"), "unavailable"],
  [200, failed("NotAuthorizedForSourceException"), "rejected"],
  [200, failed("MalformedDetail"), "rejected"],
  [200, '{"FailedEntryCount":1,"Entries":[]}', "unavailable"],
  [200, "<html>", "unavailable"],
  [200, "", "unavailable"],
  [400, '{"__type":"ValidationException","message":"too large"}', "rejected"],
  [400, '{"__type":"com.amazon#ThrottlingException"}', null],
  [503, "", null],
])("%d %s is %s", (status, body, code) => {
  expect(readEventBusFault(status, Buffer.from(body))?.code ?? null).toBe(code);
});
