import { z } from "zod";
import { wholeNumber } from "./env-fields.ts";

/** Where traces go. The exporter reads the rest of `OTEL_EXPORTER_OTLP_*` itself. */
export type TracesEnv = {
  readonly protocol: "http/protobuf" | "http/json";
  readonly sampler: (typeof samplers)[number];
  /** From 0 to 1. */
  readonly samplerRatio: number;
  /** The longest time that a span waits for others. */
  readonly scheduleDelayMs: number;
};

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional();
const protocol = z
  .enum(["http/protobuf", "http/json"], "must be http/protobuf or http/json")
  .optional();

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables */
export const tracesVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], "must be otlp or none").default("otlp"),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, `must be one of ${samplers.join(", ")}`)
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("must be a number from 0 to 1")
    .min(0, "must be a number from 0 to 1")
    .max(1, "must be a number from 0 to 1")
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(1, 3_600_000).default(5_000),
  OTEL_SDK_DISABLED: z.string().optional(),
};

type Variables = z.infer<z.ZodObject<typeof tracesVariables>>;

/** Undefined: there are no traces. */
export function toTracesEnv(v: Variables): TracesEnv | undefined {
  const endpoint = v.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? v.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isDisabled = v.OTEL_SDK_DISABLED?.toLowerCase() === "true";
  if (endpoint === undefined || isDisabled || v.OTEL_TRACES_EXPORTER === "none") return undefined;
  return {
    protocol:
      v.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? v.OTEL_EXPORTER_OTLP_PROTOCOL ?? "http/protobuf",
    sampler: v.OTEL_TRACES_SAMPLER,
    samplerRatio: v.OTEL_TRACES_SAMPLER_ARG,
    scheduleDelayMs: v.OTEL_BSP_SCHEDULE_DELAY,
  };
}
