/** A provider in the catalog: its scheme, event id and type, and setup instructions. */
import type { BatchRule } from "#lib/core/batch/batch-rule.ts";
import type { Handshake } from "#lib/core/handshake/handshake.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { DedupeSource, EventTypeSource } from "#lib/schema/hook.ts";

export type Provider = {
  /** The API's `provider`. Never changes. */
  readonly id: string;
  readonly name: string;
  readonly scheme: Scheme;
  /**
   * What identifies an event: the first source with a value counts, and it stays the same on
   * retries. Empty if nothing does: then every delivery is an event, since a lost event is worse
   * than one that runs twice.
   */
  readonly eventId: readonly DedupeSource[];
  /** Why `eventId` is right, for docs/providers.md. */
  readonly identity: EventIdentityReason;
  /**
   * If the scheme alone doesn't decide it (`findReplayProtection`): whether hooks of this provider
   * treat repeated signed content as a replay by default. Only if no two events are ever signed
   * alike.
   */
  readonly replay?: { readonly isOn: boolean; readonly why: string };
  /** Empty if events have no type. */
  readonly eventType: readonly EventTypeSource[];
  /** Set if the provider sends several events in one body. */
  readonly batch?: BatchRule;
  /** What to paste as the secret, and in which format. */
  readonly secretHelp: string;
  /** The user makes up the secret and enters it on both sides, so a strong one can be generated. */
  readonly isSecretChosen?: true;
  /** Where to paste the catch URL and find the secret. */
  readonly whereToPaste: string;
  readonly docsUrl: string;
  /** Prefix of the provider's signing secrets. Only for a warning. */
  readonly secretStartsWith?: string;
  /** Secrets of another product of this provider, which can't verify anything here. */
  readonly foreignSecret?: ForeignSecret;
  /** How the scheme was verified. */
  readonly proof: ProviderProof;
  /** The provider's documented timeout. */
  readonly answerWithinSeconds?: number;
  /** How the provider verifies the URL. */
  readonly handshakes?: readonly Handshake[];
  /**
   * The response that the provider expects, if not any 2xx. A hook's custom response overrides it.
   */
  readonly answer?: ProviderAnswer;
  /** Position in lists. Undefined: by name among all others. */
  readonly listing?: ProviderListing;
  /** Marks besides headers that identify the provider. */
  readonly marks?: ProviderMarks;
};

export type EventIdentityReason = {
  /** A sentence: why two events never share a value, and one never has two. */
  readonly why: string;
  /**
   * What says so: a page of the provider, or its package or source code, that names the id, its
   * stability over retries, or the fields of the body. Null: we found none, and docs/providers.md
   * lists the rule as one without a published source.
   */
  readonly source: `https://${string}` | `npm ${string}` | null;
};

export type ForeignSecret = {
  readonly is: RegExp;
  /** What it is, to follow "The secret", without the full stop. */
  readonly words: string;
  /** What to do about it. */
  readonly advice: string;
};

export type ProviderProof = {
  /** An npm package that signs or verifies. Tests run it. */
  readonly package?: string;
  /** Number of published examples with exact values. Tests verify them. */
  readonly examples?: number;
  /** `others`: no package, example, or page from the provider confirms the scheme. */
  readonly describedBy: "provider" | "others";
};

/** `used`: popular. `scheme`: an authentication method. `place` counts from 1. */
export type ProviderListing = { readonly group: "used" | "scheme"; readonly place: number };

export type ProviderMarks = {
  readonly userAgent?: RegExp;
  /** What its events look like. */
  readonly body?: readonly BodyMark[];
};

type BodyMark = {
  readonly path: string;
  readonly is: RegExp;
  readonly why: string;
  /** Unique to this provider, so it is sufficient alone. */
  readonly isSure?: true;
};

export type ProviderAnswer = {
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
