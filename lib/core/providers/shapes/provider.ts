/** A provider in the catalog: its scheme, event id and type, and setup instructions. */
import type { BatchRule } from "#lib/core/verify/batch/batch-rule.ts";
import type { Handshake } from "#lib/core/verify/handshake/handshake.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { DedupeSource, EventTypeSource } from "#lib/schema/receive/event-rules.ts";

export type Provider = {
  /** The id in the API's `provider`. It never changes. */
  readonly id: string;
  readonly name: string;
  readonly scheme: Scheme;
  /**
   * The sources that identify an event: the first one with a value counts, and it stays the same on
   * retries. Empty if nothing does: then every delivery is an event, since a lost event is worse
   * than one that runs twice.
   */
  readonly eventId: readonly DedupeSource[];
  /** The reason why `eventId` is right, for docs/providers.md. */
  readonly identity: EventIdentityReason;
  /**
   * Tells whether hooks of this provider treat repeated signed content as a replay by default, if
   * the scheme alone doesn't decide it (`findReplayProtection`). Only on if no two events are ever
   * signed alike.
   */
  readonly replay?: { readonly isOn: boolean; readonly why: string };
  /** Empty if events have no type. */
  readonly eventType: readonly EventTypeSource[];
  /**
   * The form field that is the whole event, as JSON, if the provider can send one as a form. It is
   * then the payload, as if it had been sent as JSON.
   */
  readonly payloadField?: string;
  /** The batch rule, if the provider sends several events in one body. */
  readonly batch?: BatchRule;
  /** The text to paste as the secret, and its format. */
  readonly secretHelp: string;
  /** The user makes up the secret and enters it on both sides, so a strong one can be generated. */
  readonly isSecretChosen?: true;
  /** Others know the secret too, so the catch URL has to stay private. */
  readonly isSecretKnown?: true;
  /** The pages where users paste the catch URL and find the secret. */
  readonly whereToPaste: string;
  readonly docsUrl: string;
  /** The prefix of the provider's signing secrets. Used only for a warning. */
  readonly secretStartsWith?: string;
  /** Secrets of another product of this provider, which can't verify anything here. */
  readonly foreignSecret?: ForeignSecret;
  /** The way in which the scheme was verified. */
  readonly proof: ProviderProof;
  /** The provider's documented timeout. */
  readonly respondWithinSeconds?: number;
  /** The ways in which the provider verifies the URL. */
  readonly handshakes?: readonly Handshake[];
  /**
   * The response that the provider expects, if not every 2xx works. A hook's custom response
   * overrides it.
   */
  readonly response?: ExpectedResponse;
  /** The position in lists. Undefined: by name among all others. */
  readonly listing?: ProviderListing;
  /** Marks in addition to headers that identify the provider. */
  readonly marks?: ProviderMarks;
};

type EventIdentityReason = {
  /** A sentence that says why two events never share a value, and why one event never has two. */
  readonly why: string;
  /**
   * The evidence: a page of the provider, or its package or source code, that mentions the id, its
   * stability over retries, or the fields of the body. Null: we found none, and docs/providers.md
   * lists the rule as one without a published source.
   */
  readonly source: `https://${string}` | `npm ${string}` | null;
};

type ForeignSecret = {
  readonly is: RegExp;
  /** A description that follows "The secret", without the period. */
  readonly words: string;
  /** The advice for the user. */
  readonly advice: string;
};

export type ProviderProof = {
  /** An npm package that signs or verifies. Tests run it. */
  readonly package?: string;
  /** The number of published examples with exact values. Tests verify them. */
  readonly examples?: number;
  /** `others`: no package, example, or page from the provider confirms the scheme. */
  readonly describedBy: "provider" | "others";
};

/** `used`: popular. `scheme`: an authentication method. `place` counts from 1. */
type ProviderListing = { readonly group: "used" | "scheme"; readonly place: number };

type ProviderMarks = {
  readonly userAgent?: RegExp;
  /** Marks in the body of the provider's events. */
  readonly body?: readonly BodyMark[];
};

type BodyMark = {
  readonly path: string;
  readonly is: RegExp;
  readonly why: string;
  /** The mark is unique to this provider, so it is enough alone. */
  readonly isSure?: true;
};

export type ExpectedResponse = {
  readonly status?: 200 | 202 | 204;
  /** Default: text/plain. */
  readonly contentType?: string;
  /** Default: empty. */
  readonly body?: string;
  /**
   * The header of a shared value that the provider expects back. Every verified caller knows it
   * already.
   */
  readonly secretHeader?: string;
  /** A 401 must not have a body either. */
  readonly hasEmptyRejections?: true;
};
