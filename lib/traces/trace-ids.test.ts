import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { parseTraceparent, toRootSpanId, toRunSpanId, toTraceId } from "./trace-ids.ts";

test("ids of traces and spans are valid, and the same in every process", () => {
  const id = newId();
  expect(toTraceId(id)).toMatch(/^[0-9a-f]{32}$/);
  expect(toRootSpanId(id)).toMatch(/^[89ab][0-9a-f]{15}$/);
  expect(toRunSpanId(id)).toMatch(/^[0-9a-f]{16}$/);
  expect(toRunSpanId(id)).toBe(toRunSpanId(id));
});

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test.each([
  [`00-${traceId}-${spanId}-01`, 1],
  [`00-${traceId}-${spanId}-00`, 0],
  [`cc-${traceId}-${spanId}-01-what-the-future-brings`, 1],
])("reads %s", (header, traceFlags) => {
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, traceFlags });
});

test.each([
  undefined,
  "",
  `ff-${traceId}-${spanId}-01`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01x`,
  `00-${traceId}-${spanId}`,
])("ignores %s", (header) => {
  expect(parseTraceparent(header)).toBe(null);
});
