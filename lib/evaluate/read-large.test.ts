import { afterAll, expect, test } from "vitest";
import { startProcessorTime } from "#lib/base/testing/processor-time.ts";
import { readUnpacked } from "#lib/core/mapping/payload/read-by-bytes.ts";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { readEvents } from "#lib/core/verify/batch/read-events.ts";
import type { ReadLargeInput } from "./read-events-task.ts";
import { LargeReader } from "./read-large.ts";

const reader = new LargeReader();
afterAll(() => reader.close());

const rules: ReadLargeInput["rules"] = {
  dedupe: [{ from: "body", path: "id" }],
  eventType: [{ from: "body", path: "type" }],
  batch: {
    list: { from: "body", path: "events" },
    keepsEnvelope: true,
    eventId: [["id"]],
    otherwise: "content",
    eventType: [["type"]],
  },
  payloadField: null,
  isIdentitySigned: false,
  publish: null,
};

function inputOf(text: string): ReadLargeInput {
  const body = Buffer.from(text);
  const unpacked = { bytes: body, decoded: { ok: true, bytes: body } } as const;
  return {
    rules,
    isVerified: true,
    headers: {},
    body,
    contentType: "application/json",
    unpacked,
    signedHash: null,
  };
}

test.each([
  ['{"id":12345678901234567890,"type":"a"}'],
  ['{"id":"b","events":[{"id":"1","type":"x"},{"id":2}]}'],
  ['{"id":'],
  ["[".repeat(100_000)],
  [`{"id":"wide","list":[${"[],".repeat(100_000)}1]}`],
])("a thread finds the events that are found at once in %.40s", async (text) => {
  const input = inputOf(text);
  const expected = readEvents(
    input,
    readUnpacked(input.unpacked, input.contentType, null),
    undefined,
  );
  const parts =
    expected.invalid === null && expected.parts?.map((part) => ({ ...part, payload: undefined }));
  const found = await reader.read("account", input);
  expect(found).toEqual(parts ? { ...expected, parts } : expected);
});

test("ten megabytes of brackets are rejected without being parsed", () => {
  const elapsedMs = startProcessorTime();
  const { payload } = readUnpacked(inputOf("[".repeat(10_000_000)).unpacked, null, null);
  expect(payload).toMatchObject({ kind: "none", code: "too_deep" });
  // Node's parser takes some 2 s to find that it doesn't end.
  expect(elapsedMs()).toBeLessThan(500);
});

test("the rules of every provider can be copied to a thread", () => {
  for (const { eventId, eventType, batch } of listProviders())
    structuredClone({ eventId, eventType, batch });
});
