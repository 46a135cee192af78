import { invalidField } from "#lib/base/errors.ts";
import { leadsBack } from "#lib/net/leads-back.ts";
import type { ServiceParts } from "./service-parts.ts";

/**
 * Throws `invalid_request` for a URL of this server. It never calls itself, so every call would fail
 * as `loop`. A name that only resolves to this server is found when calling.
 */
export function requireOtherServer(
  url: URL,
  { env }: Pick<ServiceParts, "env">,
  { path, instead }: { readonly path: string; readonly instead: string },
): void {
  if (!leadsBack(url, { ownOrigins: [env.publicUrl], ownPorts: [env.port] })) return;
  const message = `points to this server. Catchment never calls itself, so every call would fail. ${instead}`;
  throw invalidField(path, message, "not_allowed");
}
