import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  readEventVersion,
  readPublishedBatch,
  readPublishedEvent,
  toEventBody,
} from "#lib/core/sending/read-published-event.ts";
import { toContentKey, toDerivedId, toEventKey } from "./event-id.ts";

const read = (text: string) => readPublishedEvent(Buffer.from(text));
const readBatch = (text: string) => readPublishedBatch(Buffer.from(text));

function errorsOf(result: ReturnType<typeof read>) {
  if (result.ok) throw new Error("it was accepted");
  return (result.problem.errors ?? []).map(({ path, code }) => `${path} ${code}`);
}

describe("the body of a published event", () => {
  test.each([
    "12345678901234567890123",
    '{ "price": 1.10, "at": 1e400, "zero": -0 }',
    '"\\u0041 \\/ é 😀"',
    "null",
    '[ 1,\t2 , {"data": {"data": 3}} ]',
  ])("data %s keeps its bytes", (data) => {
    const result = read(`\ufeff { "type":"a.b" , "data" : ${data} }`);
    expect(result.ok && result.events[0]?.dataJson).toBe(data);
    const batch = readBatch(`{"events":[{"type":"x","data":[]}, {"type":"a","data":${data}}]}`);
    expect(batch.ok && batch.events.map(({ dataJson }) => dataJson)).toEqual(["[]", data]);
  });

  it("gives receivers JSON with the same data, whatever it is", () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (data, other) => {
        const one = read(`{"type":"a.b","data":${data}}`);
        const batch = readBatch(
          `{"events":[{"type":"a","data":${other}},{"data":${data},"type":"b"}]}`,
        );
        for (const event of [one.ok && one.events[0], batch.ok && batch.events[1]]) {
          if (!event) throw new Error("not read");
          const body = JSON.parse(toEventBody("evt_1", 0, event));
          expect(body).toEqual({
            id: "evt_1",
            type: event.type,
            timestamp: "1970-01-01T00:00:00.000Z",
            data: JSON.parse(data),
          });
        }
      }),
    );
  });

  test.each([
    ['{"data":1}', ["type required"]],
    ['{"type":"a"}', ["data required"]],
    ['{"type":"A","data":1}', ["type invalid_value"]],
    ['{"type":"a..b","data":1}', ["type invalid_value"]],
    [`{"type":"${"a.".repeat(10)}a","data":1}`, ["type too_long"]],
    [`{"type":"${"a".repeat(129)}","data":1}`, ["type too_long"]],
    ['{"type":"a","data":1,"id":"a.b"}', ["id invalid_value"]],
    ['{"type":"a","data":1,"recipient":"a b"}', ["recipient invalid_value"]],
    ['{"type":"a","data":1,"occurredAt":"yesterday"}', ["occurredAt invalid_value"]],
    ['{"type":"a","data":1,"payload":1}', ["payload unknown_field"]],
    ["[]", [" invalid_type"]],
    ['{"type":"a","data":1,"type":"b"}', ["type duplicate"]],
    ['{"type":"a","data":[{"to":1,"t\\u006f":2}]}', ["data.0.to duplicate"]],
  ])("%s is refused with the field that is wrong", (text, errors) => {
    expect(errorsOf(read(text))).toEqual(errors);
  });

  it("names the event of a batch that is wrong", () => {
    const event = '{"type":"a","data":1}';
    expect(errorsOf(readBatch(`{"events":[${event},{"type":"A","data":1},${event},{}]}`))).toEqual([
      "events.1.type invalid_value",
      "events.3.type required",
      "events.3.data required",
    ]);
    const repeated = '{"type":"a","data":{"to":1,"to":2}}';
    expect(errorsOf(readBatch(`{"events":[${event},${repeated}]}`))).toEqual([
      "events.1.data.to duplicate",
    ]);
    const large = `{"type":"a","data":"${"é".repeat(530_000)}"}`;
    expect(errorsOf(readBatch(`{"events":[${event},${large}]}`))).toEqual(["events.1 too_long"]);
    expect(errorsOf(readBatch(`{"events":[${Array(1001).fill(event).join()}]}`))).toEqual([
      "events too_long",
    ]);
    expect(errorsOf(readBatch('{"events":[]}'))).toEqual(["events too_short"]);
  });

  it("is as deep as receivers can read, and not deeper", () => {
    const deep = (levels: number) =>
      `{"type":"a","data":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect([read(deep(127)).ok, readBatch(`{"events":[${deep(127)}]}`).ok]).toEqual([true, true]);
    for (const result of [read(deep(128)), readBatch(`{"events":[${deep(128)}]}`)])
      expect(result).toMatchObject({ ok: false, problem: { code: "invalid_json" } });
    expect(read(deep(1_000_000)).ok).toBe(false);
  });

  test.each(["", "{", '{"type":"a",}', "\u0000"])("%j is not JSON", (text) => {
    expect(read(text)).toMatchObject({ ok: false, problem: { code: "invalid_json" } });
  });

  it("is UTF-8", () => {
    expect(readPublishedEvent(Buffer.from('{"type":"a","data":"\xff"}', "latin1"))).toMatchObject({
      ok: false,
      problem: { code: "invalid_json" },
    });
  });
});

describe("keys of an event", () => {
  const content = { type: "a", recipient: "r", occurredAtMs: 1, dataJson: "1.0" };

  it("another type, recipient, time, or digit is other content", () => {
    const others = [
      content,
      { ...content, type: "b" },
      { ...content, recipient: null },
      { ...content, occurredAtMs: null },
      { ...content, dataJson: "1.00" },
    ];
    expect(new Set(others.map(toContentKey)).size).toBe(others.length);
    expect(toContentKey({ ...content })).toBe(toContentKey(content));
  });

  it("the same id has another key in another account", () => {
    const [a, b] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];
    expect(toEventKey(a, "evt")).not.toBe(toEventKey(b, "evt"));
  });

  it("an Idempotency-Key gives each event of a batch its own id, which is valid", () => {
    const ids = [null, 0, 1, 10].map((index) => toDerivedId("key", index));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_:-]{1,128}$/);
  });
});

it("reads the version before the longest data, with the longest id and type", () => {
  const event = { type: "t".repeat(128), dataJson: `{"data":"${"é".repeat(9_000)}"}` };
  for (const version of ["first", "2026-12-01"]) {
    const body = toEventBody("i".repeat(128), 0, { ...event, version });
    expect(readEventVersion(Buffer.from(body))).toBe(version);
  }
});
