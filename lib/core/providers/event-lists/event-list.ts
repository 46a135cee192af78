import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** How to ask a provider's own API which events happened. */
export type EventList = {
  /** The id of the provider. */
  readonly provider: string;
  readonly name: string;
  /** The page that says so. */
  readonly source: string;
  /** The time for which it lists an event. Null: not known, so nothing is left out. */
  readonly retentionDays: number | null;
  /** The origin of its API, as people read it, such as `https://api.stripe.com`. */
  readonly origin: string;
  /** True for an origin of its API. */
  readonly isOrigin: (origin: string) => boolean;
  /** The credential that it needs, as a sentence. */
  readonly credentialHelp: string;
  /** What differs from the body of a webhook, as a sentence. */
  readonly difference: string;
  /** The time between two pages that its limits need. */
  readonly pauseMs: number;
  /** It lists what one webhook sent, and sends it again. Omitted: events are taken in as they are listed. */
  readonly redelivers?: {
    /** Of the field for the webhook. */
    readonly label: string;
    readonly help: string;
    /** The path of a webhook in the API. Null: the text names none. */
    readonly readWebhook: (text: string) => string | null;
    readonly perMinute: number;
  };
  readonly toRequest: (asked: AskedPage) => PageRequest;
  /**
   * @param link the header `Link`
   * @returns null: it isn't a page of events
   */
  readonly readPage: (json: JsonValue, asked: AskedPage, link: string | null) => EventPage | null;
};

export type AskedPage = {
  /** Unix milliseconds, both inclusive. A list may have others too, which are left out. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The path of the webhook. Null: the provider lists events. */
  readonly webhook: string | null;
  /** Null: the first page. */
  readonly cursor: string | null;
};

type PageRequest = {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
};

export type EventPage = {
  readonly events: readonly ListedEvent[];
  /** Null: there is no other page. */
  readonly next: string | null;
};

type ListedEvent = {
  /** The body that stands for the one of its webhook. */
  readonly body: JsonValue;
  /** By the provider's clock. */
  readonly occurredAtMs: number;
  /** What identifies it, if that isn't in its body. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Where it is asked for again. */
  readonly redeliverAt?: string;
};
