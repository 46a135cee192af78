import type { VersionSummary } from "#lib/schema/act/version.ts";

/** Describes in one line what a version changed. */
export function describeVersion({
  author,
  summary,
  restoredFrom,
}: Pick<VersionSummary, "author" | "summary" | "restoredFrom">): string {
  if (summary === null) return author === null ? "Before versions were kept" : "Created";
  return restoredFrom === null ? summary : `Restored version ${restoredFrom}. ${summary}`;
}
