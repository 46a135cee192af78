import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { signedDedupe, unsignedDedupe } from "#lib/core/providers/shapes/unknown-identity.ts";
import { type IdentitySource, identifyEvent, readEventType } from "./identify-event.ts";
import { saysNothing } from "./says-nothing.ts";

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
    '{"id":0}',
    '{"id":-0.0}',
    '{"id":" "}',
    '{"id":"null"}',
    '{"id":"undefined"}',
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

  it("the printable form contains nothing that PostgreSQL's text rejects", {
    tags: "variant",
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (id) => {
        fc.pre(!saysNothing(id));
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
          fc.pre(a !== b && !saysNothing(a) && !saysNothing(b));
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

describe("identifyEvent of a request line", () => {
  const get = (path: string, query = "", method = "GET") => ({
    ...request(""),
    method,
    path,
    query,
  });
  const key = (sources: IdentitySource[], of: ReturnType<typeof get>) =>
    identifyEvent(sources, of).keyHash?.toString("hex");

  it("a query parameter or a segment of the path identifies the event", () => {
    const byQuery: IdentitySource[] = [{ from: "query", name: "event id" }];
    const byPath: IdentitySource[] = [{ from: "path", segment: 2 }];
    expect(identifyEvent(byQuery, get("", "a=1&event%20id=e%2F1&event+id=2")).eventId).toBe("e/1");
    expect(identifyEvent(byPath, get("/orders/7%2F1/paid")).eventId).toBe("7/1");
    expect(identifyEvent(byPath, get("/orders/100%")).eventId).toBe("100%");
    expect(key(byQuery, get("/a", "event+id=1&try=1"))).toBe(
      key(byQuery, get("/b", "try=2&event+id=1")),
    );
    expect(key(byPath, get("/orders/7"))).toBe(key(byPath, get("/orders/7/paid", "a=1")));
  });

  it.each(["", "event+id=", "event+id=0", "event+id=null", "event+id=+", "event+id=undefined"])(
    "%j names no event",
    (query) => {
      const sources: IdentitySource[] = [{ from: "query", name: "event id" }];
      expect(key(sources, get("", query))).toBeUndefined();
    },
  );

  it.each(["", "/", "/orders", "/orders/", "/orders/0", "/orders/null", "/orders/%20"])(
    "the path %j names no event",
    (path) => expect(key([{ from: "path", segment: 2 }], get(path))).toBeUndefined(),
  );

  it("the content of a request without a body is its method, path, and query", () => {
    const content: IdentitySource[] = [{ from: "content" }];
    const first = key(content, get("/a", "b=1"));
    expect(first).toBe(key(content, get("/a", "b=1")));
    for (const other of [get("/a", "b=2"), get("/a/b"), get("/a", "b=1", "DELETE"), get("/ab=1")])
      expect(key(content, other)).not.toBe(first);
    for (const nothing of [get(""), get("/"), get("", "", "POST")])
      expect(key(content, nothing)).toBeUndefined();
  });

  it("with a body, path and query don't count as content, because they may be unsigned", () => {
    const rule: IdentitySource[] = [{ from: "content" }];
    const post = (query: string) => ({ ...request("{}"), method: "POST", path: "/a", query });
    expect(key(rule, post("a=1"))).toBe(key(rule, post("a=2")));
  });

  it("the whole request also counts its path, query, method, and headers of a type", () => {
    const rule: IdentitySource[] = [{ from: "request" }];
    const sent = { ...request('{"id":7}', { "x-shop-topic": ["paid"] }), method: "POST" };
    const first = key(rule, { ...sent, path: "/a", query: "b" });
    const again = { ...sent, path: "/a", query: "b", headers: { ...sent.headers, date: ["now"] } };
    expect(key(rule, again)).toBe(first);
    for (const change of [
      { path: "/b" },
      { query: "c" },
      { method: "PUT" },
      { headers: { "x-shop-topic": ["shipped"] } },
      { headers: {} },
      request('{"id":8}'),
    ])
      expect(key(rule, { ...again, ...change })).not.toBe(first);
    expect(key(rule, get(""))).toBeUndefined();
    expect(key(rule, get("/"))).toBeUndefined();
  });
});

describe("the rules for an unknown sender", () => {
  const event = '{"id":"evt_1","type":"a.b","data":{"n":1}}';
  const rules = [
    ["unsigned", unsignedDedupe],
    ["signed", signedDedupe],
  ] as const;

  describe.each(rules)("%s", (_name, rule) => {
    const found = (body: string) => identifyEvent(rule, request(body));

    it("the id counts alone in the shape of an event, for as long as it is stored", () => {
      const later = found('{"sent_at":2,"id":"evt_1","type":"a.b","data":{"n":2}}');
      expect(later).toEqual(found(event));
      expect(later).toEqual(identifyEvent(byId, request(event)));
      expect(later).toMatchObject({ eventId: "evt_1" });
      expect(later).not.toHaveProperty("withinSeconds");
    });

    it.each([
      ["a number", '{"id":7,"type":"order","data":{"n":1}}'],
      ["no type", '{"id":"7","data":{"n":1}}'],
      ["a blank type", '{"id":"7","type":" ","data":{"n":1}}'],
      ["a type that is a number", '{"id":"7","type":3,"data":{"n":1}}'],
      ["no data", '{"id":"7","type":"order","n":1}'],
      ["data as a list", '{"id":"7","type":"order","data":[{"n":1}]}'],
      ["data as text", '{"id":"7","type":"order","data":"{}","n":1}'],
      ["data that is null", '{"id":"7","type":"order","data":null,"n":1}'],
    ])("in another shape, id and content say the same: %s", (_what, body) => {
      const first = found(body);
      expect(first.eventId).toMatch(/^7:[0-9a-f]{16}$/);
      expect(found(body)).toEqual(first);
      const other = body.includes('"n":1') ? body.replace('"n":1', '"n":2') : `${body} `;
      expect(found(other).keyHash).not.toEqual(first.keyHash);
    });

    it.each([
      '{"id":0,"a":1}',
      '{"id":"null","a":1}',
      '{"id":"undefined","type":"a","data":{}}',
      '{"a":1}',
      "plain text",
      "[1]",
    ])("without an id, the content is the identity for a day: %s", (body) => {
      const first = found(body);
      expect(first).toMatchObject({ eventId: null, withinSeconds: 86_400 });
      expect(found(body)).toEqual(first);
      expect(found(`${body} `).keyHash).not.toEqual(first.keyHash);
    });
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

  it("reads a query parameter or a segment of the path", () => {
    const sent = { ...request("{}"), path: "/orders/order%2Epaid", query: "type=a%2Fb&x=1" };
    expect(readEventType([{ from: "query", name: "type" }], sent)).toBe("a/b");
    expect(readEventType([{ from: "path", segment: 2 }], sent)).toBe("order.paid");
    expect(readEventType([{ from: "path", segment: 3 }], sent)).toBeNull();
    expect(readEventType([{ from: "query", name: "none" }], sent)).toBeNull();
  });
});
