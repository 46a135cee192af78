import type { Finding } from "#lib/core/sender/schema-finding.ts";
import { AppError } from "#lib/errors.ts";
import { slowForMs } from "#lib/event-schemas/event-catalog.ts";
import type { PublishTarget } from "./publish-target.ts";

/**
 * Throws `schema_mismatch` if an event type only accepts data that matches its schema, or
 * `unavailable` if that can't be checked now.
 */
export function rejectMismatches(findings: readonly Finding[], target: PublishTarget): void {
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
    throw new AppError("unavailable", `${unchecked.path}: ${unchecked.message}.`, {
      headers: { "retry-after": String(slowForMs / 1_000) },
    });
  if (first === undefined) return;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : "";
  throw new AppError("schema_mismatch", `${first.path}: ${first.message}.${more}`, {
    errors: errors.slice(0, 100),
  });
}
