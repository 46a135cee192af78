import { z } from "zod";
import { defineGroup, oneOf, setting, type Values, wholeNumber } from "./setting.ts";

const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional();
const protocol = oneOf(["http/protobuf", "http/json"]).optional();
const ratio = "must be a number from 0 to 1";

/**
 * The exporter reads the rest of `OTEL_EXPORTER_OTLP_*` itself.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables
 */
export const tracesSettings = defineGroup({
  about:
    "OpenTelemetry traces, sent only with an endpoint, by the standard variables. OTEL_EXPORTER_OTLP_HEADERS, " +
    "OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, and the like work too.",
  settings: {
    endpoint: setting(
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      url,
      "the URL of the collector, to which `/v1/traces` is added",
    ),
    tracesEndpoint: setting(
      "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
      url,
      "the whole URL for traces, instead",
    ),
    protocol: setting(
      "OTEL_EXPORTER_OTLP_PROTOCOL",
      protocol,
      "`http/protobuf` or `http/json`, not `grpc`",
      { unset: "`http/protobuf`" },
    ),
    tracesProtocol: setting(
      "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
      protocol,
      "the protocol for traces, instead",
      { unset: "`OTEL_EXPORTER_OTLP_PROTOCOL`" },
    ),
    exporter: setting(
      "OTEL_TRACES_EXPORTER",
      oneOf(["otlp", "none"]).default("otlp"),
      "`none` turns traces off",
    ),
    sampler: setting(
      "OTEL_TRACES_SAMPLER",
      oneOf([
        "always_on",
        "always_off",
        "traceidratio",
        "parentbased_always_on",
        "parentbased_always_off",
        "parentbased_traceidratio",
      ]).default("parentbased_always_on"),
      "which deliveries and events have traces: `traceidratio` takes a share",
    ),
    samplerRatio: setting(
      "OTEL_TRACES_SAMPLER_ARG",
      z.coerce.number(ratio).min(0, ratio).max(1, ratio).default(1),
      "the share that `traceidratio` takes, from 0 to 1",
    ),
    scheduleDelayMs: setting(
      "OTEL_BSP_SCHEDULE_DELAY",
      wholeNumber(1, 3_600_000).default(5_000),
      "how long a span waits for others at most, in milliseconds",
    ),
    isDisabled: setting("OTEL_SDK_DISABLED", z.string().optional(), "`true` turns traces off", {
      unset: "`false`",
    }),
  },
});

export type TracesEnv = NonNullable<ReturnType<typeof toTracesEnv>>;

/** Undefined: there are no traces. */
export function toTracesEnv(given: Values<typeof tracesSettings.settings>) {
  const { exporter, sampler, samplerRatio, scheduleDelayMs } = given;
  const isDisabled = given.isDisabled?.toLowerCase() === "true" || exporter === "none";
  if (isDisabled || (given.tracesEndpoint ?? given.endpoint) === undefined) return undefined;
  const protocol = given.tracesProtocol ?? given.protocol ?? "http/protobuf";
  return { protocol, sampler, samplerRatio, scheduleDelayMs };
}
