import { timeOfId } from "#lib/base/ids.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { type ReportedCall, workerSignals } from "#lib/worker/outcome/worker-signals.ts";
import { type OpenTracer, randomSpanId } from "./open-tracer.ts";
import { sourceOf, toRootSpanId, toRunSpanId, toTraceId } from "./trace-ids.ts";

/**
 * Continues traces in the worker: a span for each run, below that of its delivery or event, and in it
 * one for each call and retry. Spans name no URL, because it may contain a secret.
 */
export function traceRuns(tracer: OpenTracer): void {
  const spanIds = new WeakMap<ReportedCall, string>();
  workerSignals.callStarted.listen((call) => {
    const spanId = randomSpanId();
    spanIds.set(call, spanId);
    const traceId = toTraceId(sourceOf(call.run));
    const flags = tracer.isSampled(traceId) ? "01" : "00";
    call.request = withTraceparent(call.request, `00-${traceId}-${spanId}-${flags}`);
  });
  workerSignals.callEnded.listen(({ call, result }) => {
    const { run, step, attempt, request, startedAtMs } = call;
    const status = result.response?.status;
    // The first of several brokers. A span needn't name the one that was reached.
    const { hostname, port } = new URL(request.url.replace(/,[^/]*/, ""));
    const failure = result.ok ? (status ?? 0) >= 400 && `status ${status}` : result.error.code;
    tracer.record({
      name: step === null ? "call" : `call ${step}`,
      kind: "CLIENT",
      traceId: toTraceId(sourceOf(run)),
      spanId: spanIds.get(call) ?? randomSpanId(),
      parentSpanId: toRunSpanId(run.id),
      startMs: startedAtMs,
      endMs: startedAtMs + result.durationMs,
      attributes: {
        "http.request.method": request.method,
        "server.address": hostname,
        ...(port !== "" && { "server.port": Number(port) }),
        ...(status !== undefined && { "http.response.status_code": status }),
        ...(!result.ok && { "error.type": result.error.code }),
        ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
        "catchment.run.id": run.id,
        ...(step !== null && { "catchment.step": step }),
      },
      failure: failure === false ? null : failure,
    });
  });
  workerSignals.runsFinished.listen(({ runs }) => {
    const endMs = Date.now();
    for (const run of runs) {
      const { id, next, attemptCount } = run;
      if (next.state === "retrying") continue;
      const sourceId = sourceOf(run);
      const target = run.kind === "send" ? "catchment.subscription.id" : "catchment.action.id";
      tracer.record({
        name: run.kind === "send" ? "send" : "run",
        kind: "INTERNAL",
        traceId: toTraceId(sourceId),
        spanId: toRunSpanId(id),
        parentSpanId: toRootSpanId(sourceId),
        startMs: timeOfId(id),
        endMs,
        attributes: {
          "catchment.run.id": id,
          "catchment.run.state": next.state,
          "catchment.attempts": attemptCount,
          [target]: run.targetId,
        },
        failure: next.state === "failed" ? (next.reason?.code ?? "failed") : null,
      });
    }
  });
}

/** A header that the action sets itself stays as it is. */
function withTraceparent(request: OutgoingRequest, traceparent: string): OutgoingRequest {
  if (request.headers.some(([name]) => name.toLowerCase() === "traceparent")) return request;
  return { ...request, headers: [...request.headers, ["traceparent", traceparent]] };
}
