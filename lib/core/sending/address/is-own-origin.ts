/**
 * Checks that a change comes from our own pages. Browsers send `Origin` with every POST; if it is
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
  const { host: from } = new URL(origin);
  // A page of the same host over http is another origin, and anyone in between can write it.
  return from === new URL(publicUrl).host ? origin === publicUrl : from === host;
}
