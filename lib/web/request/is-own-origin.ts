/**
 * Whether a change comes from one of our own pages. Browsers send `Origin` with every POST; one that is missing or
 * names another host is refused. `host` is the name that the browser used to reach us.
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
