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
   * What tells one event from the next: the first that is there counts, and it is the same when the
   * provider tries again. Empty where nothing does: then every delivery is an event, since a
   * swallowed event is worse than one that runs twice.
   */
  readonly eventId: readonly DedupeSource[];
  /**
   * Why two events never have the same, and one never has two: a sentence for docs/providers.md.
   */
  readonly identity: { readonly why: string };
  /**
   * Where the scheme does not say it by itself (`findReplayProtection`): whether a hook of this
   * provider takes what was signed, come again, for a replay when nothing else is said. Only where
   * no two events are ever signed alike.
   */
  readonly replay?: { readonly isOn: boolean; readonly why: string };
  /** Empty if events have no type. */
  readonly eventType: readonly EventTypeSource[];
  /** Set if the provider sends several events in one body. */
  readonly batch?: BatchRule;
  /** What to paste as the secret, and in which format. */
  readonly secretHelp: string;
  /**
   * The user makes the secret up and types it on both sides, so that a good one can be generated.
   */
  readonly isSecretChosen?: true;
  /** Where to paste the catch URL and find the secret. */
  readonly whereToPaste: string;
  readonly docsUrl: string;
  /** Prefix of the provider's signing secrets. Only for a warning. */
  readonly secretStartsWith?: string;
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
  /** Unique to this provider, so it is enough by itself. */
  readonly isSure?: true;
};

export type ProviderAnswer = {
  readonly status?: 200 | 202 | 204;
  /** Default: text/plain. */
  readonly contentType?: string;
  /** Default: empty. */
  readonly body?: string;
  /**
   * The header in which a provider that shows a shared value wants it back. Whoever is answered has
   * shown it.
   */
  readonly secretHeader?: string;
  /** A 401 must have no body either. */
  readonly hasEmptyRejections?: true;
};
