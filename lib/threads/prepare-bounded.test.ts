import { afterAll, expect, test } from "vitest";
import { type PrepareInput, prepareCall } from "#lib/core/build-request/prepare-call.ts";
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
    hook: { id: "h", name: "Shop" },
    filter: null,
    request,
    auth: { type: "bearer", token: "t" },
    runId: "r",
    version: "1",
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
    inputOf(event, { request: { ...request, body } }),
    inputOf(event, { request: { ...request, bodyText: "{{ headers.x-topic }} {{ data.none }}" } }),
    inputOf(event, { filter: is(new ExactNumber("12345678901234567890123")) }),
    inputOf(event, { filter: is(1) }),
    inputOf(event, { filter: is(1), builds: "always" }),
    inputOf("no JSON", { request: { ...request, body } }),
    inputOf(event, {
      request: { ...request, bodyText: "{% for i in (1..9999) %}{{ i }}{% endfor %}" },
    }),
  ];
  for (const input of inputs) {
    const expected = toPlain(await prepareCall(input));
    expect(toPlain(await prepareBounded(threads, input, atOnce))).toEqual(expected);
    expect(toPlain(await prepareBounded(threads, input, inThread))).toEqual(expected);
  }
});

/** Bytes are a Buffer on one side and a Uint8Array on the other. */
function toPlain(prepared: Awaited<ReturnType<typeof prepareCall>>): unknown {
  const built = prepared?.built;
  if (built?.ok !== true) return prepared;
  const text = built.request.body === null ? null : Buffer.from(built.request.body).toString();
  return { ...prepared, built: { ...built, request: { ...built.request, body: text } } };
}

test("a mapping within its budget that still takes too long is stopped, and says so", async () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed;
  };
  const items = Array.from({ length: 330_000 }, random);
  const slow = inputOf(JSON.stringify({ id: "e", items }), {
    request: { ...request, bodyText: "{{ payload.items | sort | size }}" },
  });
  let maxMs = 0;
  let lastAt = performance.now();
  const beat = setInterval(() => {
    maxMs = Math.max(maxMs, performance.now() - lastAt);
    lastAt = performance.now();
  }, 10);
  const { built } = await prepareBounded(threads, slow, { ...atOnce, mapLimitMs: 20 });
  clearInterval(beat);
  expect(built).toMatchObject({ ok: false, code: "mapping_too_slow" });
  expect(built?.ok === false && built.errors[0]?.message).toContain(
    "The mapping took longer than 20 ms",
  );
  // Everything else continued meanwhile.
  expect(maxMs).toBeLessThan(500);
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
