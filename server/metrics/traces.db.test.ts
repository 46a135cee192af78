/** Traces of processes as they are really started, sent to a real OTLP/HTTP receiver. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { type Receiver, startReceiver } from "#lib/worker/testing/receiver.ts";
import { childSpec } from "#server/supervise/child-spec.ts";
import { createSupervisor, type Supervisor } from "#server/supervise/supervisor.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { sendJson } from "#server/testing/catch-harness.ts";

const { db, url } = withDatabase();
let receiver: Receiver;
let collector: Receiver;
let supervisor: Supervisor;
let port: number;

beforeAll(async () => {
  let failures = 2;
  receiver = await startReceiver((response) => {
    failures -= 1;
    response.writeHead(failures >= 0 ? 503 : 200).end();
  });
  collector = await startReceiver((response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  port = await findFreePort();
  supervisor = createSupervisor();
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    DATABASE_URL: url,
    CATCHMENT_SECRET_KEY: "a secret key for tests, long enough",
    CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    CATCHMENT_CATCH_PROCESSES: "1",
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_SERVICE_NAME: "hooks-in-tests",
  };
  const roles = ["worker", "catch"] as const;
  await Promise.all(roles.map((role) => supervisor.start(childSpec(role, env))));
});
afterAll(async () => {
  await supervisor.stop(["catch", "worker"]);
  await Promise.all([receiver, collector].map((server) => server[Symbol.asyncDispose]()));
});

type Span = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
};

type Export = {
  readonly resourceSpans: readonly {
    readonly resource: unknown;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

function readSpans(traceId: string): readonly Span[] {
  return collector.calls
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => (JSON.parse(body) as Export).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .filter((span) => span.traceId === traceId)
    .toSorted((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
}

test("a delivery and all attempts of its run are one trace, which the receiver and the provider can join", async () => {
  const hook = await addHook(db);
  await db.action.create({
    data: {
      id: newId(),
      accountId: hook.accountId,
      hookId: hook.id,
      name: "call",
      request: { method: "POST", url: receiver.url, headers: {}, query: {}, body: {} },
      retry: { maxAttempts: 5, initialDelayMs: 100, maxDelayMs: 200, on: ["5xx"] },
      timeoutMs: 5_000,
    },
  });
  const [providerTrace, providerSpan] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const traceparent = `00-${providerTrace}-${providerSpan}-01`;
  expect((await sendJson(port, hook.path, { id: 1 }, { traceparent })).status).toBe(200);
  const [delivery] = await readDeliveries(db, hook);
  const traceId = delivery?.id.replaceAll("-", "") ?? "";
  await expect.poll(() => readSpans(traceId).length).toBe(5);
  const spans = readSpans(traceId);
  const [root, run] = ["catch", "run"].map((name) => spans.find((span) => span.name === name));
  const calls = spans.filter(({ name }) => name === "call");
  expect(root?.parentSpanId ?? "").toBe("");
  expect(root?.links).toMatchObject([{ traceId: providerTrace, spanId: providerSpan }]);
  expect(run?.parentSpanId).toBe(root?.spanId);
  expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([1, 2, 3].map(() => run?.spanId));
  expect(calls.map(({ status }) => status.code)).toEqual([2, 2, 0]);
  // The receiver continues the trace below the attempt that reached it.
  expect(receiver.calls.map(({ headers }) => headers.traceparent)).toEqual(
    calls.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
  );
  expect(collector.calls[0]?.body).toContain("hooks-in-tests");
});
