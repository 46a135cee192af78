/** A sender that Catchment knows: how it signs, where its events carry id and type, and what to tell the user. */
import type { BatchRule } from "#lib/core/batch/batch-rule.ts";
import type { Handshake } from "#lib/core/handshake/handshake.ts";
import type { DedupeSource, EventTypeSource } from "#lib/schema/hook.ts";
import type { Scheme } from "./scheme.ts";

export type Provider = {
  /** What the API's `provider` says. Never changes. */
  readonly id: string;
  readonly name: string;
  readonly scheme: Scheme;
  /**
   * The first that is there counts. The id is the same when the sender tries again. Where a sender gives none that is,
   * the content stands for it, or `idempotency-key`, which may never come, where equal bodies are not the same event.
   */
  readonly eventId: readonly DedupeSource[];
  /** Empty where events have no type. */
  readonly eventType: readonly EventTypeSource[];
  /** Where the sender puts several events into one body. */
  readonly batch?: BatchRule;
  /** What to paste as the secret, and in which form. */
  readonly secretHelp: string;
  /** Where in the sender's settings the catch URL goes and the secret is found. */
  readonly whereToPaste: string;
  readonly docsUrl: string;
  /** Only for a warning: what signing secrets of this sender start with. */
  readonly secretStartsWith?: string;
  /** False where only others describe the scheme: no vector, package or page of the sender itself confirms it. */
  readonly confirmed?: false;
  /** Where the sender says within how many seconds it wants the answer. */
  readonly answerWithinSeconds?: number;
  /** How it makes sure of the URL, before its first event or now and then. */
  readonly handshakes?: readonly Handshake[];
  /** What it wants to read when a delivery was stored, where any 2xx is not good enough. A hook's own answer comes first. */
  readonly answer?: ProviderAnswer;
};

export type ProviderAnswer = {
  readonly status?: 200 | 202 | 204;
  /** Default: text/plain. */
  readonly contentType?: string;
  /** Default: empty. */
  readonly body?: string;
  /** A 401 must have no body either. */
  readonly hasEmptyRefusals?: true;
};
