import { expect, it } from "vitest";
import { toOccurrence } from "./event-occurrence.ts";
import { toEventBody } from "./read-published-event.ts";

function occurrence(dataJson: string): string {
  const body = Buffer.from(toEventBody("evt_1", 0, { type: "a.b", version: null, dataJson }));
  return toOccurrence({ publicId: "evt_1", type: "a.b", body });
}

it("keeps the digits of the data, and makes an object of it", () => {
  const start = '{"eventId":"evt_1","name":"a.b","timestamp":"1970-01-01T00:00:00.000Z","data":';
  expect(occurrence('{"n":12345678901234567890.10}')).toBe(
    `${start}{"n":12345678901234567890.10}}`,
  );
  expect(occurrence('[1, "data"]')).toBe(`${start}{"value":[1, "data"]}}`);
  expect(occurrence("null")).toBe(`${start}{"value":null}}`);
});

it("leaves out what no receiver takes, and says so", () => {
  const text = occurrence(JSON.stringify({ text: "é".repeat(131_000) }));
  expect(Buffer.byteLength(text)).toBeLessThan(500);
  expect(JSON.parse(text)).toMatchObject({
    ...{ eventId: "evt_1", data: {} },
    _meta: { "catchment/omitted": expect.stringContaining("255 KiB") },
  });
});
