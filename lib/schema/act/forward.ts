/** The parts of a delivery that an action forwards as received. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { headerName } from "#lib/schema/field/common.ts";

/**
 * Headers of one connection (RFC 9110 §7.6.1) or of one host, or headers that Catchment sets for
 * every call.
 */
export const perCallHeaders = [
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "idempotency-key",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
] as const;
const neverForwarded: ReadonlySet<string> = new Set([...perCallHeaders, "accept-encoding"]);
const neverPrefixes = ["proxy-", "catchment-"];
/** Catchment never stores their values, so it can't forward them. */
const neverStored: ReadonlySet<string> = new Set(["authorization", "cookie"]);

/** True if a header can't be forwarded, even if requested by name. `name` is lowercase. */
export function isNeverForwarded(name: string): boolean {
  return (
    neverForwarded.has(name) ||
    neverStored.has(name) ||
    neverPrefixes.some((prefix) => name.startsWith(prefix))
  );
}

const forwardedName = headerName.refine(
  (name) => !isNeverForwarded(name),
  brokenRule(
    "not_allowed",
    "can't be forwarded: it belongs to the connection or the host, is a " +
      "credential that isn't stored, or is set by Catchment",
  ),
);

export const forwardSchema = z
  .strictObject({
    /** Replaces the action's own method. */
    method: z.boolean().default(true),
    /** Added to the parameters of the URL and of `query`. */
    query: z.boolean().default(true),
    /** `all` means every header except credentials and transport headers. */
    headers: z
      .union([z.literal("all"), z.array(forwardedName).max(50, "at most 50 headers")], {
        error: 'must be "all" or a list of header names',
      })
      .default("all"),
  })
  .meta({ id: "Forward" });
export type Forward = z.infer<typeof forwardSchema>;
