import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { ReplyParts } from "#lib/schema/receive/hook-reply.ts";
import type { BuildError, BuildRequestCode } from "./problem-list.ts";

/** The thing to make from a delivery. */
export type Need =
  | {
      readonly kind: "request";
      readonly request: ActionRequestTemplate;
      readonly auth: RequestAuth | null;
      /** The run's id, the same on every attempt; sent as `Idempotency-Key`. */
      readonly runId: string;
      /** Catchment's version, for `User-Agent`. */
      readonly version: string;
    }
  /** JSON whose strings are templates. Error paths start with `at`. */
  | { readonly kind: "value"; readonly value: JsonValue; readonly at: string }
  | { readonly kind: "reply"; readonly parts: ReplyParts }
  /** Only the filter matters. */
  | { readonly kind: "nothing" };

/** A rendered reply to a provider. Header names keep their case. */
export type BuiltReply = {
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
};

type MadeByKind = {
  readonly request: OutgoingRequest;
  /** JSON text that keeps all digits. */
  readonly value: string;
  readonly reply: BuiltReply;
  readonly nothing: null;
};

export type Made<N extends Need> = MadeByKind[N["kind"]];

export type NotBuilt = {
  readonly ok: false;
  readonly code: BuildRequestCode;
  readonly errors: readonly BuildError[];
};

export type Built<N extends Need> = { readonly ok: true; readonly made: Made<N> } | NotBuilt;
