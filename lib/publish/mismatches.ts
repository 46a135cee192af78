import type { Finding } from "#lib/core/sender/schema-finding.ts";
import { AppError } from "#lib/errors.ts";
import type { PublishTarget } from "./publish-target.ts";

/** Throws `schema_mismatch` if an event type only accepts data that matches its schema. */
export function rejectMismatches(findings: readonly Finding[], target: PublishTarget): void {
  const errors = findings.flatMap((finding, index) => {
    if (finding?.isRequired !== true) return [];
    const path = target === "event" ? finding.path : `events.${index}.${finding.path}`;
    return [{ path, code: "schema_mismatch" as const, message: finding.message }];
  });
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : "";
  throw new AppError("schema_mismatch", `${first.path}: ${first.message}.${more}`, {
    errors: errors.slice(0, 100),
  });
}
