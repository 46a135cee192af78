/**
 * Whether a change comes from our own pages. Browsers send `Origin` with every POST; if it is
 * missing or names another host, the change is rejected. `host` is the name by which the browser
 * reached us.
 */
export function isOwnOrigin(request: {
  readonly origin: string | null;
  readonly host: string | null;
  readonly publicUrl: string;
}): boolean {
  const { origin, host, publicUrl } = request;
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === publicUrl || new URL(origin).host === host;
}
