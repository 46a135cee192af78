/**
 * How lists name a subscription: by host and path, since many receivers share a host. Not by the
 * query, which may hold a secret.
 */
export function nameReceiver(receiverUrl: string): string {
  const url = URL.parse(receiverUrl);
  return url === null ? receiverUrl : `${url.host}${url.pathname.replace(/\/$/, "")}`;
}
