/**
 * `same`: produces the example's value. `converted`: produces it after a conversion. `similar`:
 * another value, from a field with a similar name. `none`: not found, so the example's value stays.
 */
export type Confidence = "same" | "converted" | "similar" | "none";

/** The proposal for one value of an example. */
export type FieldProposal = {
  readonly path: string;
  /** The example's value, as text. */
  readonly literal: string;
  /** Null: the example's value stays. */
  readonly template: string | null;
  /** The template's result for this delivery, as text. Null: no template. */
  readonly value: string | null;
  readonly why: string;
  readonly confidence: Confidence;
  /** The list of the delivery whose items become the items of this list. */
  readonly each?: string;
  /** The path of the list that contains the field. Its template uses `item`. */
  readonly within?: string;
};
