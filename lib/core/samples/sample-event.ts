import type { Fresh } from "./fresh.ts";

/** An event as a sender would send it, made anew each time. Written from the sender's own description of its payloads. */
export type SampleEvent = {
  /** As the sender calls it. */
  readonly type: string;
  readonly make: (fresh: Fresh) => SampleContent;
};

/** Headers are those by which the sender says what it sends; what proves the sender is added when it is signed. */
export type SampleContent = {
  readonly headers?: Readonly<Record<string, string>>;
} & ({ readonly json: unknown } | { readonly form: Readonly<Record<string, string>> });

/** The events of one sender, the most usual first. */
export type SampleEvents = readonly [SampleEvent, ...SampleEvent[]];
