/**
 * The policy of every page. Scripts run only with the nonce of this one answer, and what such a script loads
 * (`strict-dynamic`); no inline script, no plug-in, no frame around us, no form to elsewhere.
 *
 * @param nonce fresh for each answer, never from the request
 * @param isDevelopment React's development build evaluates strings for its stack traces
 */
export function contentSecurityPolicy(nonce: string, isDevelopment: boolean): string {
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
    "frame-ancestors 'none'",
  ].join("; ");
}
