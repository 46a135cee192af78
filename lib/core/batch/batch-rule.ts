/** Where a provider's batches have their events, for `splitBatch`. */
export type BatchRule = {
  /** A dotted path in the JSON body (`""` for the body itself), or a form field with JSON text. */
  readonly list:
    | { readonly from: "body"; readonly path: string }
    | { readonly from: "form"; readonly name: string };
  /**
   * True: each event keeps the fields around the list (LINE's `destination`), as if it had been
   * sent alone. False: each event is just the item.
   */
  readonly keepsEnvelope: boolean;
  /**
   * Paths in the item that identify the event. The first combination with all paths present counts.
   */
  readonly eventId: readonly Combination[];
  /**
   * What identifies the event otherwise: its content, or, if equal items can be different events,
   * its position in the batch.
   */
  readonly otherwise: "content" | "place";
  /** Paths in the item, joined with a dot. Empty if events have no type. */
  readonly eventType: readonly Combination[];
};

/** Values that belong together, such as `payments` and `confirmed`. */
export type Combination = readonly [string, ...string[]];
