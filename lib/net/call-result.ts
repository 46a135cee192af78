import type { CallErrorCode } from "#lib/core/sending/retry/call-error.ts";

/** A response, as far as it was read. */
export type CallResponse = {
  readonly status: number;
  /** Lower-case names and Latin-1 values in the order received, with repeated names kept apart. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes as sent, never decompressed. */
  readonly body: Uint8Array;
  /** The body was longer but was cut at the limit, by a failure, or by the deadline. */
  readonly truncated: boolean;
};

/**
 * The outcome of one call. Any complete response is `ok`, whatever its status: the retry planner
 * decides what the status means for the run.
 */
export type CallResult =
  | { readonly ok: true; readonly response: CallResponse; readonly durationMs: number }
  | {
      readonly ok: false;
      readonly error: { readonly code: CallErrorCode; readonly message: string };
      /** The part of a response that arrived before the failure. */
      readonly response: CallResponse | null;
      readonly durationMs: number;
    };
