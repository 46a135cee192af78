/**
 * `same`: gives the example's value. `converted`: gives it after a conversion. `similar`: another
 * value, from a field with a similar name. `none`: not found, so the example's value stays.
 */
export type Confidence = "same" | "converted" | "similar" | "none";

/** What is proposed for one value of an example. */
export type FieldProposal = {
  readonly path: string;
  /** What the example has, as text. */
  readonly literal: string;
  /** Null: the example's value stays. */
  readonly template: string | null;
  /** What the template gives for this delivery, as text. Null: there is no template. */
  readonly value: string | null;
  readonly why: string;
  readonly confidence: Confidence;
  /** A list whose items are made of the items of this list of the delivery. */
  readonly each?: string;
  /** The path of the list that it belongs to. Its template names `item`. */
  readonly within?: string;
};
