import type { Finding } from "#lib/core/sending/schema-finding.ts";
import { slowForMs } from "#lib/event-schemas/event-catalog.ts";
import { type Rejection, reject } from "#lib/ingress/rejection.ts";
import type { PublishTarget } from "./publish-target.ts";

/**
 * Rejects events whose type only accepts data that matches its schema, and those that can't be
 * checked now. Null: there are none.
 */
export function rejectMismatches(
  findings: readonly Finding[],
  target: PublishTarget,
): Rejection | null {
  const required = findings.flatMap((finding, index) => {
    if (finding?.isRequired !== true) return [];
    const path = target === "event" ? finding.path : `events.${index}.${finding.path}`;
    return [{ ...finding, path }];
  });
  const errors = required
    .filter(({ kind }) => kind === "mismatch")
    .map(({ path, message }) => ({ path, code: "schema_mismatch" as const, message }));
  const [first] = errors;
  const [unchecked] = required;
  if (first === undefined && unchecked !== undefined)
    return reject("unavailable", `${unchecked.path}: ${unchecked.message}.`, {
      retryAfterSeconds: slowForMs / 1_000,
    });
  if (first === undefined) return null;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : "";
  return reject("schema_mismatch", `${first.path}: ${first.message}.${more}`, {
    errors: errors.slice(0, 100),
  });
}
