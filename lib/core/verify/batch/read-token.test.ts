import { describe, expect, test } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { readEvents } from "./read-events.ts";
import { splitBatch } from "./split-batch.ts";

const unidentified = { keyHash: null, replayHash: null };

function ruleOf(id: string) {
  const rule = findProvider(id)?.batch;
  if (rule === undefined) throw new Error(`${id} has no event inside`);
  return rule;
}

describe("one event inside", () => {
  const tokenOf = (claims: object) =>
    ["{}", JSON.stringify(claims), "x"]
      .map((part) => Buffer.from(part).toString("base64url"))
      .join(".");
  const none = readPayload(Buffer.from("x"), "text/plain");
  const open = (id: string, body: string) =>
    splitBatch(ruleOf(id), none, unidentified, Buffer.from(body));
  const textOf = (result: ReturnType<typeof open>) =>
    result.kind === "whole" ? result.reason : result.events.map(({ body }) => String(body));

  test("the claims of a token are the event, or the JSON text in one of them", () => {
    const event = { event_id: "event_1", type: "user.created", big: 1 };
    expect(open("kinde", tokenOf(event))).toMatchObject({
      events: [{ eventId: "event_1", eventType: "user.created" }],
    });
    const data = '{"eventType":"order","data":"{}"}';
    expect(textOf(open("wix", tokenOf({ data, iat: 1 })))).toEqual([data]);
  });

  test("a token with the Content-Type of JSON is read too", () => {
    const body = Buffer.from(tokenOf({ event_id: "event_1", type: "user.created" }));
    const contentType = "application/json";
    const payload = readPayload(body, contentType);
    const rules = {
      dedupe: [],
      eventType: [],
      batch: ruleOf("kinde"),
      payloadField: null,
      isIdentitySigned: false,
      publish: null,
    };
    const input = { rules, isVerified: true, headers: {}, body };
    expect(
      readEvents(input, { bytes: body, contentType, payloadField: null, payload }, undefined),
    ).toMatchObject({
      invalid: null,
      parts: [{ eventId: "event_1" }],
    });
  });

  test("the same data in a token of another time is the same event", () => {
    const keyOf = (iat: number) => {
      const result = open("wix", tokenOf({ data: '{"eventType":"order"}', iat }));
      return result.kind === "whole" ? null : result.events[0]?.keyHash?.toString("hex");
    };
    expect(keyOf(1)).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf(1)).toBe(keyOf(2));
  });

  test("the JSON of a form field is the event", () => {
    const text = '{"id":12345678901234567890,"state":"passed"}';
    const body = Buffer.from(new URLSearchParams({ payload: text }).toString());
    const payload = readPayload(body, "application/x-www-form-urlencoded");
    const result = splitBatch(ruleOf("travis-ci"), payload, unidentified, body);
    expect(textOf(result)).toEqual([text]);
    expect(result).toMatchObject({ events: [{ eventType: "passed" }] });
  });

  test.each(["", "a.b", "a.b.c.d", tokenOf([]), tokenOf({ data: 1 }), tokenOf({ data: "{" })])(
    "%j stays whole",
    (body) => {
      expect(textOf(open("wix", body))).toBe("not_a_batch");
    },
  );
});
