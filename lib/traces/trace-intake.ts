import type { Link } from "@opentelemetry/api";
import { deliveriesStored, requestCaught } from "#lib/catch/caught-signal.ts";
import { requestPublished } from "#lib/publish/published-signal.ts";
import { type FinishedSpan, type OpenTracer, randomSpanId, randomTraceId } from "./open-tracer.ts";
import { parseTraceparent, toRootSpanId, toTraceId } from "./trace-ids.ts";

/** Begins the traces of deliveries and events. */
export function traceIntake(tracer: OpenTracer): void {
  requestCaught.listen(({ request, caught: { hookId, result }, status, durationMs }) => {
    const id = "deliveryId" in result ? result.deliveryId : null;
    const { outcome } = result;
    tracer.record({
      ...rootOf(id),
      name: "catch",
      ...span(status, durationMs, {
        "catchment.outcome": outcome,
        "catchment.hook.id": hookId ?? undefined,
        "catchment.delivery.id": id ?? undefined,
        "error.type": outcome === "rejected" ? result.code : undefined,
      }),
      links: linksOf(request.headers.traceparent),
    });
  });
  requestPublished.listen(({ request, published: { response, eventIds }, durationMs }) => {
    for (const id of eventIds)
      tracer.record({
        ...rootOf(id),
        name: "publish",
        ...span(response.status, durationMs, { "catchment.event.id": id }),
        links: linksOf(request.headers.traceparent),
      });
  });
  // The events of a batch, and the event that a delivery becomes, have traces of their own.
  deliveriesStored.listen(({ deliveries }) => {
    const nowMs = Date.now();
    for (const { id, events = [], published } of deliveries)
      for (const follower of [...events, ...(published === undefined ? [] : [published])])
        tracer.record({
          ...rootOf(follower.id),
          name: follower === published ? "publish" : "split",
          kind: "INTERNAL",
          startMs: nowMs,
          endMs: nowMs,
          attributes: { "catchment.delivery.id": id },
          links: [{ context: { ...rootOf(id), traceFlags: 1 } }],
          failure: null,
        });
  });
}

function rootOf(id: string | null) {
  return id === null
    ? { traceId: randomTraceId(), spanId: randomSpanId(), parentSpanId: null }
    : { traceId: toTraceId(id), spanId: toRootSpanId(id), parentSpanId: null };
}

type Ended = Pick<FinishedSpan, "kind" | "startMs" | "endMs" | "attributes" | "failure">;

function span(
  status: number,
  durationMs: number,
  attributes: Readonly<Record<string, string | undefined>>,
): Ended {
  const endMs = Date.now();
  const known = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return {
    kind: "SERVER",
    startMs: endMs - durationMs,
    endMs,
    attributes: { ...Object.fromEntries(known), "http.response.status_code": status },
    failure: status >= 500 ? `status ${status}` : null,
  };
}

/** The provider's trace is linked: it is another system's, and may not be sampled. */
function linksOf(header: string | string[] | undefined): readonly Link[] {
  const context = parseTraceparent(typeof header === "string" ? header : undefined);
  return context === null ? [] : [{ context: { ...context, isRemote: true } }];
}
