import type { CallErrorCode } from "#lib/core/retry/call-error.ts";

/** An answer as far as it was read. */
export type CallResponse = {
  readonly status: number;
  /** Names lower-case, values as Latin-1 text, in the order received, repeated names kept apart. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes as sent: never decompressed. */
  readonly body: Uint8Array;
  /** The body went on, but was cut at the limit, by a failure or by the deadline. */
  readonly truncated: boolean;
};

/**
 * Outcome of one call. Any complete answer is `ok`, whatever its status: what that means for the run is
 * decided by the retry planner.
 */
export type CallResult =
  | { readonly ok: true; readonly response: CallResponse; readonly durationMs: number }
  | {
      readonly ok: false;
      readonly error: { readonly code: CallErrorCode; readonly message: string };
      /** What had arrived of an answer before the failure. */
      readonly response: CallResponse | null;
      readonly durationMs: number;
    };
