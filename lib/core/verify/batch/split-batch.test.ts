import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { BatchRule } from "./batch-rule.ts";
import { maxBatchEvents, splitBatch } from "./split-batch.ts";

const json = (text: string) => readPayload(Buffer.from(text), "application/json");
const form = (fields: Record<string, string>) =>
  readPayload(
    Buffer.from(new URLSearchParams(fields).toString()),
    "application/x-www-form-urlencoded; charset=utf-8",
  );

type BatchIdentity = Parameters<typeof splitBatch>[2];
const unidentified: BatchIdentity = { keyHash: null, replayHash: null };

function ruleOf(id: string): BatchRule {
  const rule = findProvider(id)?.batch;
  if (rule === undefined) throw new Error(`${id} sends no batches`);
  return rule;
}

function split(rule: BatchRule, payload: ReturnType<typeof json>, batch = unidentified) {
  const result = splitBatch(rule, payload, batch);
  if (result.kind === "whole") throw new Error(result.reason);
  return result.events.map(({ body, keyHash, ...event }) => ({
    ...event,
    text: Buffer.from(body).toString("utf8"),
    key: keyHash?.toString("hex") ?? null,
  }));
}

const bare: BatchRule = {
  list: { from: "body", path: "" },
  keepsEnvelope: false,
  eventId: [["id"]],
  otherwise: "content",
  eventType: [["type"]],
};
const enveloped: BatchRule = {
  ...bare,
  list: { from: "body", path: "a.events" },
  keepsEnvelope: true,
};

describe("the content of an event", () => {
  test("is what the provider wrote, character by character", () => {
    const items = [
      '{"id":1e400,"n":12345678901234567890123 }',
      '{ "id" : 1.10, "s":"],[é☃\\"", "-0":-0}',
    ];
    expect(
      split(bare, json(`\ufeff [ ${items.join(" ,\r\n")} ]\r\n`)).map(({ text }) => text),
    ).toEqual(items);
  });

  test("includes the fields around the list if the rule keeps them", () => {
    const events = split(
      enveloped,
      json('{"to":1.10,"a":{"events":[ {"id":"1"}, {"id":"2"} ],"z":[{"id":"3"}]}}'),
    );
    expect(events.map(({ text }) => text)).toEqual([
      '{"to":1.10,"a":{"events":[ {"id":"1"} ],"z":[{"id":"3"}]}}',
      '{"to":1.10,"a":{"events":[ {"id":"2"} ],"z":[{"id":"3"}]}}',
    ]);
    expect(events.map(({ eventId }) => eventId)).toEqual(["1", "2"]);
  });

  test("property: the bare events are the items of the list, in order, and their payloads are read", () => {
    const item = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(0, 2),
        (items, indent) => {
          const text = JSON.stringify(items, null, indent);
          const events = split(bare, json(text));
          expect(events.map(({ payload }) => payload.kind === "json" && payload.value)).toEqual(
            JSON.parse(text),
          );
        },
      ),
    );
  });
});

describe("the identity of an event", () => {
  test("is its id including the type, with every digit", () => {
    const text =
      '[{"id":"1"},{"id":1},{"id":9007199254740993},{"id":9007199254740992},{"id":"1","x":0}]';
    const events = split(bare, json(text));
    expect(new Set(events.map(({ key }) => key)).size).toBe(4);
    expect(events.map(({ eventId }) => eventId)).toEqual([
      "1",
      "1",
      "9007199254740993",
      "9007199254740992",
      "1",
    ]);
  });

  test("needs all of several values, which can't run into each other", () => {
    const rule: BatchRule = { ...bare, eventId: [["a", "b"], ["c"]] };
    const events = split(
      rule,
      json('[{"a":"1","b":"23"},{"a":"12","b":"3"},{"a":"1","c":"9"},{"a":"1"},{"a":"1" }]'),
    );
    expect(events.map(({ eventId }) => eventId)).toEqual(["1:23", "12:3", "9", null, null]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(5);
  });

  test("without an id is its content, or its position in a batch with an identity", () => {
    const batch = json('[{"a":1},{"a":1},{"a":2}]');
    const byContent = split(bare, batch).map(({ key }) => key);
    expect([byContent[0] === byContent[1], byContent[0] === byContent[2]]).toEqual([true, false]);

    const byPlace: BatchRule = { ...bare, otherwise: "place" };
    const keys = (keyHash: Buffer | null) =>
      split(byPlace, batch, { keyHash, replayHash: null }).map(({ key }) => key);
    expect(keys(null)).toEqual([null, null, null]);
    expect(new Set([...keys(Buffer.alloc(32)), ...keys(Buffer.alloc(32, 1))]).size).toBe(6);
    expect(keys(Buffer.alloc(32))).toEqual(keys(Buffer.alloc(32)));
  });
});

describe("a body stays whole", () => {
  test.each([
    ["it is not a list", "{}", "not_a_batch"],
    ["an item is no object", '[{"id":1},2]', "not_a_batch"],
    ["it is not JSON", "[", "not_a_batch"],
    ["there is nothing in it", " [ ] ", "empty"],
    ["there are too many", `[${"{},".repeat(maxBatchEvents)}{}]`, "too_many"],
  ])("when %s", (_when, text, reason) => {
    expect(splitBatch(bare, json(text), unidentified)).toEqual({ kind: "whole", reason });
  });

  test("if it is damaged, or if each event would repeat too much", () => {
    const damaged = readPayload(Buffer.from('[{"id":"\xff"}]', "latin1"), "application/json");
    expect(splitBatch(bare, damaged, unidentified)).toEqual({
      kind: "whole",
      reason: "not_a_batch",
    });
    const large = json(`{"x":"${"x".repeat(2000)}","a":{"events":[{"id":1}]}}`);
    expect(splitBatch(enveloped, large, unidentified)).toEqual({
      kind: "whole",
      reason: "too_large",
    });
  });

  test("property: never throws, whatever the bytes", () => {
    const type = fc.constantFrom(
      "application/json",
      "application/x-www-form-urlencoded",
      "text/xml",
    );
    const rule = fc.constantFrom(bare, enveloped, ruleOf("mandrill"));
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)),
        type,
        rule,
        (bytes, name, of) => {
          expect(["events", "whole"]).toContain(
            splitBatch(of, readPayload(bytes, name), unidentified).kind,
          );
        },
      ),
    );
  });

  test("10,000 events and a body of 10 MiB without any are split quickly", () => {
    // Processor time, not wall time: other programs run meanwhile.
    const startedAt = process.cpuUsage();
    expect(split(bare, json(`[${'{"id":"x"},'.repeat(maxBatchEvents - 1)}{"id":1}]`)).length).toBe(
      maxBatchEvents,
    );
    expect(splitBatch(bare, json(`[${"0,".repeat(5_000_000)}0]`), unidentified).kind).toBe("whole");
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(3_000);
  });
});

describe("the providers", () => {
  test.each([
    [
      "sendgrid",
      '[{"sg_event_id":"a","event":"open"},{"sg_event_id":"b","event":"click"}]\r\n',
      ["a", "b"],
      ["open", "click"],
    ],
    [
      "gocardless",
      '{"events":[{"id":"EV1","resource_type":"payments","action":"confirmed"}],"meta":{"webhook_id":"WB1"}}',
      ["EV1"],
      ["payments.confirmed"],
    ],
    [
      "line",
      '{"destination":"U1","events":[{"type":"message","webhookEventId":"01H"}]}',
      ["01H"],
      ["message"],
    ],
    [
      "microsoft-graph",
      '{"value":[{"id":"n1","changeType":"created"},{"changeType":"updated"}]}',
      ["n1", null],
      ["created", "updated"],
    ],
    [
      "hubspot",
      '[{"eventId":1,"subscriptionId":25,"occurredAt":1700000000000,' +
        '"subscriptionType":"contact.creation","attemptNumber":0}]',
      [expect.stringMatching(/^25:1:1700000000000:[0-9a-f]{16}$/)],
      ["contact.creation"],
    ],
    [
      "okta",
      '{"eventId":"e","data":{"events":[{"uuid":"u1","eventType":"user.lifecycle.create"}]}}',
      ["u1"],
      ["user.lifecycle.create"],
    ],
    [
      "azure-event-grid",
      '[{"id":"1","eventType":"Microsoft.Storage.BlobCreated"}]',
      ["1"],
      ["Microsoft.Storage.BlobCreated"],
    ],
    [
      "tailscale",
      '[{"type":"nodeCreated","timestamp":"2026-01-01T00:00:00Z"}]',
      [null],
      ["nodeCreated"],
    ],
    [
      "meta",
      '{"object":"page","entry":[{"id":"1","changes":[{"field":"feed"}]}]}',
      [null],
      ["feed"],
    ],
  ])("%s", (id, text, ids, types) => {
    const events = split(ruleOf(id), json(text));
    expect(events.map(({ eventId }) => eventId)).toEqual(ids);
    expect(events.map(({ eventType }) => eventType)).toEqual(types);
  });

  test("mandrill, which puts the list into a form", () => {
    const events = split(
      ruleOf("mandrill"),
      form({ mandrill_events: '[{"event":"send","_id":"1"},{"event":"open","_id":"1"}]' }),
    );
    expect(events.map(({ eventType }) => eventType)).toEqual(["send", "open"]);
    expect(events[0]?.text).toBe('{"event":"send","_id":"1"}');
    expect(events[0]?.key).not.toBe(events[1]?.key);
    for (const list of ["[", "", "{}"])
      expect(
        splitBatch(ruleOf("mandrill"), form({ mandrill_events: list }), unidentified).kind,
      ).toBe("whole");
  });

  test("retries give the same keys, and HubSpot's attempt counter doesn't matter", () => {
    const batch = (attempt: number) =>
      json(`[{"eventId":1,"subscriptionId":2,"occurredAt":3,"attemptNumber":${attempt}}]`);
    const keys = [0, 1].map((attempt) => split(ruleOf("hubspot"), batch(attempt))[0]?.key);
    expect(keys[0]).toBe(keys[1]);
  });
});
