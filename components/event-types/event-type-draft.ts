import type { MismatchRule } from "#lib/schema/sender/event-type.ts";

export type EventTypeDraft = {
  readonly name: string;
  readonly description: string;
  /** As JSON; empty: none. */
  readonly schema: string;
  readonly example: string;
  readonly deprecated: boolean;
  readonly onMismatch: MismatchRule;
};

/** Not in the form's file, which is the browser's: a page on the server spreads it. */
export const newEventType: EventTypeDraft = {
  name: "",
  description: "",
  schema: "",
  example: "",
  deprecated: false,
  onMismatch: "warn",
};
