import { afterAll, expect, test } from "vitest";
import { startProcessorTime } from "#lib/base/testing/processor-time.ts";
import type { Need } from "#lib/core/mapping/build-request/need.ts";
import { type PrepareInput, prepareCall } from "#lib/core/mapping/build-request/prepare-call.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { prepareBounded } from "./prepare-bounded.ts";
import type { PrepareTasks } from "./prepare-call-task.ts";
import { ThreadPool } from "./thread-pool.ts";

const threads = new ThreadPool<PrepareTasks>({
  script: new URL("testing/prepare-thread.ts", import.meta.url),
});
afterAll(() => threads.close());

const request = {
  method: "POST",
  url: "https://a.example/{{ id }}",
  headers: {},
  query: {},
  body: null,
  bodyText: null,
  forward: null,
} as const;

type RequestNeed = Extract<Need, { kind: "request" }>;

function needOf(changes: Partial<RequestNeed["request"]> = {}): RequestNeed {
  const auth = { type: "bearer", token: "t" } as const;
  return { kind: "request", request: { ...request, ...changes }, auth, runId: "r", version: "1" };
}

function inputOf(body: string, changes: Partial<PrepareInput> = {}): PrepareInput {
  return {
    delivery: {
      id: "d",
      receivedAtMs: 0,
      method: "POST",
      path: "",
      query: "a=1",
      headers: [
        ["Content-Type", "application/json"],
        ["X-Topic", "orders"],
      ],
      contentType: "application/json",
      eventId: null,
      eventType: null,
      isSample: false,
      body: Buffer.from(body),
    },
    hook: { id: "h", name: "Shop", payloadField: null },
    filter: null,
    need: needOf(),
    nowMs: 1_700_000_000_000,
    builds: "when_matched",
    ...changes,
  };
}

const atOnce = { accountId: "a", actionChars: 0 };
const inThread = { accountId: "a", actionChars: 1e9 };

test("a thread gives exactly the same result as the process itself", async () => {
  const body = {
    exact: new ExactNumber("1.10"),
    price: "{{ data.price }}",
    big: "{{ data.big }}",
    now: "{{ 'now' | date: '%s' }}",
  };
  const event = '{"id":"e","data":{"price":1.10,"big":12345678901234567890123,"n":3}}';
  const is = (value: number | ExactNumber) => ({
    all: [{ path: "data.big", op: "equals", value } as const],
  });
  const inputs = [
    inputOf(event),
    inputOf(event, { need: needOf({ body }) }),
    inputOf(event, { need: needOf({ bodyText: "{{ headers.x-topic }} {{ data.none }}" }) }),
    inputOf(event, { filter: is(new ExactNumber("12345678901234567890123")) }),
    inputOf(event, { filter: is(1) }),
    inputOf(event, { filter: is(1), builds: "always" }),
    inputOf("no JSON", { need: needOf({ body }) }),
    inputOf(event, {
      need: needOf({ bodyText: "{% for i in (1..9999) %}{{ i }}{% endfor %}" }),
    }),
    inputOf(event, { need: { kind: "value", value: body, at: "" } }),
    inputOf(event, { need: { kind: "value", value: "{{ data.none }}", at: "until" } }),
    inputOf(event, {
      need: { kind: "reply", parts: { status: 200, headers: {}, body: "{{ id }}" } },
    }),
    inputOf(event, { need: { kind: "nothing" } }),
  ];
  for (const input of inputs) {
    const expected = toPlain(await prepareCall(input));
    expect(toPlain(await prepareBounded(threads, input, atOnce))).toEqual(expected);
    expect(toPlain(await prepareBounded(threads, input, inThread))).toEqual(expected);
  }
});

/** Bytes are a Buffer on one side and a Uint8Array on the other. */
function toPlain(prepared: Awaited<ReturnType<typeof prepareCall>>): unknown {
  return JSON.parse(
    JSON.stringify(prepared, (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    ),
  );
}

test("a mapping within its budget that still takes too long is stopped, and says so", async () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed;
  };
  const items = Array.from({ length: 330_000 }, random);
  const slow = inputOf(JSON.stringify({ id: "e", items }), {
    need: needOf({ bodyText: "{{ payload.items | sort | size }}" }),
  });
  const elapsedMs = startProcessorTime();
  const { built } = await prepareBounded(threads, slow, { ...atOnce, mapLimitMs: 20 });
  // It was the thread that worked: everything else could continue meanwhile.
  expect(elapsedMs()).toBeLessThan(500);
  expect(built).toMatchObject({ ok: false, code: "mapping_too_slow" });
  expect(built?.ok === false && built.errors[0]?.message).toContain(
    "The mapping took longer than 20 ms",
  );
});

test("a filter that compares too much fails the run instead of skipping it", async () => {
  const list = JSON.stringify({ items: Array.from({ length: 90_000 }, (_, index) => index) });
  const all = Array.from(
    { length: 50 },
    () => ({ path: "payload.items", op: "contains", value: -1 }) as const,
  );
  const filter = { any: all };
  const { verdict, built } = await prepareBounded(threads, inputOf(list, { filter }), atOnce);
  expect(verdict).toEqual({ matches: true });
  expect(built).toMatchObject({ ok: false, code: "mapping_failed", errors: [{ at: "filter" }] });
});
