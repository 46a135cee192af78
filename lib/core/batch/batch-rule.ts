/** Where the events of one body are, as data on a provider: what `splitBatch` needs to make one delivery of each. */
export type BatchRule = {
  /**
   * The list: a dotted path of the JSON body, `""` where the body itself is the list, or a field of a form that holds
   * the list as JSON text.
   */
  readonly list:
    | { readonly from: "body"; readonly path: string }
    | { readonly from: "form"; readonly name: string };
  /**
   * True: each event keeps what stands around the list (`destination` of LINE), so it is the body as if it had come
   * alone. False: each event is the bare item.
   */
  readonly keepsEnvelope: boolean;
  /**
   * What makes an item the same event when the sender tries again: paths inside the item. The first combination of
   * which every path is there counts.
   */
  readonly eventId: readonly Combination[];
  /**
   * Where none is there: the content of the item stands for it, or, where equal items are not the same event, its
   * place in a batch of the same identity.
   */
  readonly otherwise: "content" | "place";
  /** Paths inside the item, joined with a dot. Empty where events have no type. */
  readonly eventType: readonly Combination[];
};

/** Several values that only together say something: `payments` and `confirmed`. */
export type Combination = readonly [string, ...string[]];
