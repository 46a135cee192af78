import { randomBytes } from "node:crypto";
import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracesEnv } from "#lib/core/env/traces-settings.ts";

export type FinishedSpan = {
  readonly name: string;
  readonly kind: keyof typeof SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  /** Null: it is the first of its trace. */
  readonly parentSpanId: string | null;
  /** Unix times. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links?: readonly Link[];
  /** Why it failed. Null: it didn't. */
  readonly failure: string | null;
};

export type OpenTracer = {
  /** Exports a span that has ended, unless its trace isn't sampled. */
  record(span: FinishedSpan): void;
  /** The same in every process, because it depends on the id alone. */
  isSampled(traceId: string): boolean;
  /** Sends what waits. */
  close(): Promise<void>;
};

export type TracerOptions = {
  readonly env: TracesEnv;
  readonly version: string;
  readonly role: string;
};

/** The SDK of OpenTelemetry, whose exporter reads the standard `OTEL_EXPORTER_OTLP_*` by itself. */
export function openTracer({ env, version, role }: TracerOptions): OpenTracer {
  const sampler = chooseSampler(env);
  const ids = new GivenIds();
  const own = resourceFromAttributes({
    "service.name": "catchment",
    "service.version": version,
    "service.instance.id": `${role}-${process.pid}`,
  });
  const provider = new TracerProvider({
    sampler,
    idGenerator: ids,
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: env.protocol === "http/json" ? new JsonExporter() : new ProtobufExporter(),
        scheduledDelayMillis: env.scheduleDelayMs,
      }),
    ],
  });
  const tracer = provider.getTracer("catchment", version);
  const isSampled = (traceId: string) =>
    sampler.shouldSample(ROOT_CONTEXT, traceId, "", SpanKind.SERVER, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;
  return {
    isSampled,
    record({ name, kind, traceId, spanId, parentSpanId, startMs, endMs, ...rest }) {
      ids.next = { traceId, spanId };
      const parent = { traceId, spanId: parentSpanId ?? "", traceFlags: 1, isRemote: true };
      const context =
        parentSpanId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      const { attributes, links = [], failure } = rest;
      const options = { kind: SpanKind[kind], attributes, links: [...links], startTime: startMs };
      const span = tracer.startSpan(name, options, context);
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end(Math.max(startMs, endMs));
    },
    close: () => provider.shutdown().catch(() => {}),
  };
}

export function randomSpanId(): string {
  return randomBytes(8).toString("hex");
}

export function randomTraceId(): string {
  return randomBytes(16).toString("hex");
}

/** Gives the next span the ids that follow from its delivery, event, or run. */
class GivenIds implements IdGenerator {
  next = { traceId: "", spanId: "" };

  generateTraceId(): string {
    return this.next.traceId;
  }

  generateSpanId(): string {
    return this.next.spanId;
  }
}

/** The provider's trace is a link and not the parent, so the samplers with a parent decide alike. */
function chooseSampler({ sampler, samplerRatio }: TracesEnv): Sampler {
  switch (sampler) {
    case "always_on":
    case "parentbased_always_on":
      return new AlwaysOnSampler();
    case "always_off":
    case "parentbased_always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
    case "parentbased_traceidratio":
      return new TraceIdRatioBasedSampler(samplerRatio);
    default:
      return sampler satisfies never;
  }
}
