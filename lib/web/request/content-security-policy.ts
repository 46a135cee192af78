type PolicyOptions = {
  /** A fresh nonce for each response, never one from the request. */
  readonly nonce: string;
  /** React's development build evaluates strings for its stack traces. */
  readonly isDevelopment: boolean;
  /** Origins whose pages may show this one in a frame. Default: none. */
  readonly frameAncestors?: readonly string[];
};

/**
 * The policy of every page. Scripts run only with this response's nonce, plus what they load
 * (`strict-dynamic`). No inline scripts, plug-ins, or forms to other sites, and only the portal can
 * be framed.
 */
export function contentSecurityPolicy({
  nonce,
  isDevelopment,
  frameAncestors = [],
}: PolicyOptions): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
  ].join("; ");
}

/**
 * The nonce of this response's policy: set by `proxy.ts` on every request, for our one inline
 * script.
 */
export const nonceHeader = "x-catchment-nonce";
