/** A sender that Catchment knows: how it signs, where its events carry id and type, and what to tell the user. */
import type { Scheme } from "./scheme.ts";

export type Provider = {
  /** What the API's `provider` says. Never changes. */
  readonly id: string;
  readonly name: string;
  readonly scheme: Scheme;
  /** The first that is there counts. The id is the same when the sender tries again. */
  readonly eventId: readonly FieldSource[];
  readonly eventType: readonly FieldSource[];
  /** What to paste as the secret, and in which form. */
  readonly secretHelp: string;
  /** Where in the sender's settings the catch URL goes and the secret is found. */
  readonly whereToPaste: string;
  readonly docsUrl: string;
  /** Only for a warning: what signing secrets of this sender start with. */
  readonly secretStartsWith?: string;
};

export type FieldSource =
  | { readonly from: "header"; readonly name: string }
  | { readonly from: "body"; readonly path: string };
