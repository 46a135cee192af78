/** Where a request came from, as the audit log shows it. */
export type RequestOrigin = {
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Ours, or that of the proxy in front (`X-Request-Id`). */
  readonly requestId: string | null;
};
