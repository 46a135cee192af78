import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPayload } from "#lib/core/payload/read-payload.ts";
import { type IdentitySource, identifyEvent, readEventType } from "./identify-event.ts";

const byId: IdentitySource[] = [{ from: "body", path: "id" }];

function request(body: string | Uint8Array, headers: Record<string, string[]> = {}) {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return { headers, body: bytes, payload: readPayload(bytes, "application/json") };
}

function keyOf(body: string | Uint8Array, sources = byId): string | undefined {
  return identifyEvent(sources, request(body)).keyHash?.toString("hex");
}

describe("identifyEvent", () => {
  it("the same id is the same event, whatever else the body contains", () => {
    expect(keyOf('{"id":"evt_1","a":1}')).toBe(keyOf('{"a":2,"id":"evt_1"}'));
  });

  it.each([
    ['{"id":1}', '{"id":"1"}'],
    ['{"id":12345678901234567890123}', '{"id":12345678901234567890124}'],
    ['{"id":"\\ud800"}', '{"id":"\\ud801"}'],
    ['{"id":"a"}', '{"id":"a\\u0000"}'],
    ['{"id":"é"}', '{"id":"e\u0301"}'],
    ['{"id":" a"}', '{"id":"a"}'],
  ])("%s and %s are two events", (one, other) => {
    expect(keyOf(one)).toBeDefined();
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it("ids that differ only in bytes that aren't UTF-8 are two events", () => {
    const withByte = (byte: number) =>
      Buffer.concat([Buffer.from('{"id":"a'), Buffer.from([byte]), Buffer.from('"}')]);
    expect(keyOf(withByte(0xff))).not.toBe(keyOf(withByte(0xfe)));
    expect(keyOf(withByte(0xff))).toBe(keyOf(withByte(0xff)));
  });

  it.each([
    '{"id":null}',
    '{"id":{}}',
    '{"id":[1]}',
    '{"id":true}',
    '{"id":""}',
    "{}",
    "[]",
    "1",
    "",
  ])("%s has no identity, so it is unique", (body) =>
    expect(identifyEvent(byId, request(body))).toEqual({ eventId: null, keyHash: null }),
  );

  it("an id of 12 KB has a key of 32 bytes and a printable form of 255 characters", () => {
    const identity = identifyEvent(byId, request(JSON.stringify({ id: "x".repeat(12_288) })));
    expect(identity.keyHash).toHaveLength(32);
    expect(identity.eventId).toHaveLength(255);
  });

  it("the printable form contains nothing that PostgreSQL's text rejects", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (id) => {
        const { eventId } = identifyEvent(byId, request(JSON.stringify({ id })));
        expect(eventId).not.toContain("\u0000");
        expect(eventId?.isWellFormed()).toBe(true);
      }),
    );
  });

  it("different ids never share a key", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1 }),
        fc.string({ unit: "binary", minLength: 1 }),
        (a, b) => {
          fc.pre(a !== b);
          expect(keyOf(JSON.stringify({ id: a }))).not.toBe(keyOf(JSON.stringify({ id: b })));
        },
      ),
    );
  });

  it("the first source with a value counts, and content is the last resort", () => {
    const sources: IdentitySource[] = [
      { from: "header", name: "x-id" },
      { from: "body", path: "a.0.id" },
      { from: "content" },
    ];
    expect(identifyEvent(sources, request('{"a":[{"id":"b1"}]}', { "x-id": ["h1"] })).eventId).toBe(
      "h1",
    );
    expect(identifyEvent(sources, request('{"a":[{"id":"b1"}]}')).eventId).toBe("b1");
    const content = createHash("sha256").update("c").update("{}").digest();
    expect(identifyEvent(sources, request("{}")).keyHash).toEqual(content);
  });

  it("content without a field is the same event whatever that field says, and only then", () => {
    const rule: IdentitySource[] = [{ from: "content", except: ["retries", "meta.attempt"] }];
    const first = '{"id":1,"retries":0,"meta":{"attempt":1,"at":2}}';
    const later = '{"id":1,"retries":12,"meta":{"attempt":null,"at":2}}';
    expect(keyOf(later, rule)).toBe(keyOf(first, rule));
    for (const other of [
      first.replace('"id":1', '"id":2'),
      first.replace('"at":2', '"at":3'),
      '{"id":1,"meta":{"attempt":1,"at":2}}',
    ])
      expect(keyOf(other, rule)).not.toBe(keyOf(first, rule));
  });

  it("content that isn't JSON counts as a whole", () => {
    const form = (text: string) => ({
      headers: {},
      body: Buffer.from(text),
      payload: readPayload(Buffer.from(text), "application/x-www-form-urlencoded"),
    });
    const key = (text: string) =>
      identifyEvent([{ from: "content", except: ["retries"] }], form(text)).keyHash;
    expect(key("a=1&retries=1")).toEqual(key("a=1&retries=1"));
    expect(key("a=1&retries=2")).not.toEqual(key("a=1&retries=1"));
  });

  it("the event id stands for the content too, so that two events never have one", () => {
    const rule: IdentitySource[] = [
      { from: "all", of: [{ from: "header", name: "x-event" }, { from: "content" }] },
    ];
    const idOf = (body: string) =>
      identifyEvent(rule, request(body, { "x-event": ["convo.created"] })).eventId;
    expect(idOf("{}")).toMatch(/^convo\.created:[0-9a-f]{16}$/);
    expect(idOf("[]")).not.toBe(idOf("{}"));
  });

  it("a path only reads own properties", () => {
    for (const path of ["constructor.name", "__proto__", "id.length", "toString"]) {
      expect(identifyEvent([{ from: "body", path }], request('{"id":"evt"}')).keyHash).toBeNull();
    }
  });
});

describe("readEventType", () => {
  it("reads the field or the header", () => {
    expect(readEventType([{ from: "body", path: "type" }], request('{"type":"a.b"}'))).toBe("a.b");
    expect(
      readEventType([{ from: "header", name: "x-topic" }], request("{}", { "x-topic": ["t"] })),
    ).toBe("t");
    expect(readEventType([{ from: "body", path: "type" }], request("{}"))).toBeNull();
  });
});
