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

/** Two very similar events about one object, to test that their identities differ. */
export type Consecutive = (fresh: Fresh) => ConsecutiveEvents & {
  /** Pairs of other kinds of events, if something else tells those apart. */
  readonly more?: readonly ConsecutiveEvents[];
};

type ConsecutiveEvents = {
  readonly two: readonly [SampleContent, SampleContent];
  /** The first event as the provider retries it. Undefined: unchanged. */
  readonly again?: SampleContent;
};
