/** HTTP types that the pure core and its callers share. */

/**
 * Header values as received: lowercase names, separate values, null prototype. The same as
 * `req.headersDistinct` of `node:http`.
 */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** A call that is ready to send, with all templates rendered. */
export type OutgoingRequest = {
  readonly method: string;
  /** An absolute http(s) URL, already encoded. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
};
