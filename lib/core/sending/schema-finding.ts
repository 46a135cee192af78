/** The problem with an event's data, and its path: `data.lines.0.price`. */
export type Mismatch = {
  /** `unchecked`: the schema can't be used or takes too long, which isn't the data's fault. */
  readonly kind: "mismatch" | "unchecked";
  readonly path: string;
  readonly message: string;
};

/**
 * The result of checking an event against the schema of its type. Null: its data matches, or its
 * type has no schema. `isRequired`: such an event is not published.
 */
export type Finding = (Mismatch & { readonly isRequired: boolean }) | null;

/** An event that names a version which its type doesn't have. It is not published. */
export const unknownVersion: Finding = {
  kind: "mismatch",
  path: "version",
  message: "is not a version of this event type",
  isRequired: true,
};

/** An event that was checked. */
export type EventCheck = {
  readonly finding: Finding;
  /** The version of its data. Null: the first, or its type isn't in the catalog. */
  readonly version: string | null;
};

/**
 * `data.total: must be integer`. It is stored as text, which can't have the NUL that a name of the
 * data may have.
 */
export function describeMismatch({ path, message }: Mismatch): string {
  return `${path}: ${message}`.replaceAll("\0", "\ufffd");
}
