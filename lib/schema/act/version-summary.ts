/** A version in a list. */
export type VersionSummary = {
  readonly number: number;
  /** A person's email address, or a token's name. Null: saved before there were versions. */
  readonly author: string | null;
  readonly createdAt: Date;
  /** A summary of the changes. Null: this is the first version. */
  readonly summary: string | null;
  /** Why, in the author's words. */
  readonly note: string | null;
  readonly restoredFrom: number | null;
  readonly isCurrent: boolean;
};

/** Describes in one line what a version changed. */
export function describeVersion({
  author,
  summary,
  restoredFrom,
}: Pick<VersionSummary, "author" | "summary" | "restoredFrom">): string {
  if (summary === null) return author === null ? "Before versions were kept" : "Created";
  return restoredFrom === null ? summary : `Restored version ${restoredFrom}. ${summary}`;
}
