import type { Fresh } from "./fresh.ts";

/** A sample event, new on each call. Based on the provider's documentation. */
type SampleEvent = {
  /** The provider's name for the event type. */
  readonly type: string;
  readonly make: (fresh: Fresh) => SampleContent;
};

/** Headers without the signature, which signing adds. */
export type SampleContent = {
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly xml: string }
);

/** The events of a provider, most common first. */
export type SampleEvents = readonly [SampleEvent, ...SampleEvent[]];
