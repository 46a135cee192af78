/**
 * How lists name a subscription: by host and path, since many receivers share a host. Not by the
 * query, which may hold a secret.
 */
export function nameReceiver(receiverUrl: string): string {
  const url = URL.parse(receiverUrl);
  // A list of Kafka's brokers is no URL.
  return url === null
    ? receiverUrl.replace(/^\w+:\/\//, "")
    : `${url.host}${url.pathname.replace(/\/$/, "")}`;
}
