import { z } from "zod";
import { wholeNumber } from "./env-fields.ts";

/** How machines watch this server. */
export type MonitoringEnv = {
  /** A port of its own for metrics and health, without a token. Undefined: none. */
  readonly metricsPort: number | undefined;
  /** The token for `GET /metrics` on the server's own port. Undefined: there is no such page. */
  readonly metricsToken: string | undefined;
};

export const monitoringVariables = {
  CATCHMENT_METRICS_PORT: wholeNumber(1, 65_535).optional(),
  CATCHMENT_METRICS_TOKEN: z
    .string()
    .regex(
      /^[\x21-\x7e]{16,512}$/,
      "must have 16 to 512 characters without spaces; create one with `openssl rand -hex 32`",
    )
    .optional(),
};

type Variables = z.infer<z.ZodObject<typeof monitoringVariables>>;

export function toMonitoringEnv(v: Variables): MonitoringEnv {
  return { metricsPort: v.CATCHMENT_METRICS_PORT, metricsToken: v.CATCHMENT_METRICS_TOKEN };
}

/** True if processes count what they do. */
export function isMeasured({ metricsPort, metricsToken }: MonitoringEnv): boolean {
  return metricsPort !== undefined || metricsToken !== undefined;
}
