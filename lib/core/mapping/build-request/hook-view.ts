/** A hook as its actions read its deliveries. */
export type HookView = {
  readonly id: string;
  readonly name: string;
  /** The form field that is the whole event. Null: its provider has none. */
  readonly payloadField: string | null;
};
