/** Shapes of HTTP that the pure core and its edges share. */

/**
 * Header values as received: lower-case names, each value kept apart, null prototype.
 * It is what `node:http` gives as `req.headersDistinct`.
 */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** A call that is ready to be sent: nothing in it is a template any more. */
export type OutgoingRequest = {
  readonly method: string;
  /** Absolute http(s) URL, already encoded. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
};
