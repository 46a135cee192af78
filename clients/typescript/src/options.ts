export type ClientOptions = {
  /** The public origin of the server, such as `https://hooks.example.com`. */
  readonly url: string;
  /** An API token (`cmt_…`). */
  readonly token: string;
  /** How often a call is repeated after 429, 503, or a lost connection. Default: 3. */
  readonly maxRetries?: number;
  /** How long to wait for a response, in milliseconds, each time. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
};

export type CallOptions = {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Default: a new one for each change, so that a repeated call isn't done twice. */
  readonly idempotencyKey?: string;
};
