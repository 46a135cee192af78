/** The rule for finding the events in a provider's batches. `splitBatch` uses it. */
export type BatchRule = {
  /** A path in the JSON body (`""` for the body itself), or a form field with JSON text. */
  readonly list:
    | { readonly from: "body"; readonly path: string }
    | { readonly from: "form"; readonly name: string }
    | TokenPlace;
  /** The place has a single event instead of a list of them. */
  readonly isOne?: true;
  /** A list of one event is the event itself, as an element of XML is. */
  readonly isListOrOne?: true;
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
   * The identity of an event without an event id: its content, or, if equal items can be different
   * events, its position in the batch.
   */
  readonly otherwise: "content" | "place";
  /**
   * Paths in the item that change with each attempt. If set, the content without them always counts
   * too: `eventId` alone isn't unique.
   */
  readonly except?: readonly string[];
  /** Paths in the item, joined with a dot. Empty if events have no type. */
  readonly eventType: readonly Combination[];
};

/**
 * The claims of a JSON Web Token, which is the text at `path` of the JSON body, or with `""` the
 * whole body. `claim`: the JSON text in that claim instead of all claims.
 */
export type TokenPlace = {
  readonly from: "token";
  readonly path: string;
  readonly claim?: string;
};

/** Values that belong together, such as `payments` and `confirmed`. */
export type Combination = readonly [string, ...string[]];
