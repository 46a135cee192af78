/**
 * The policy of every page. Scripts run only with this response's nonce, plus what they load
 * (`strict-dynamic`). No inline scripts, plug-ins, frames around us, or forms to other sites.
 *
 * @param nonce fresh for each response, never from the request
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
