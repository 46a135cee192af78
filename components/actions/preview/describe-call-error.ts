/** Advice for a call without a response, by error code. */
export function describeCallError(code: string): string {
  return hints[code] ?? "Try again. If it still fails, check the receiver.";
}

const hints: Readonly<Record<string, string>> = {
  blocked:
    "Actions can only call public addresses and standard ports. This protects the " +
    "server's own network. If this receiver is yours, start Catchment with its " +
    "network allowed, for example CATCHMENT_EGRESS_ALLOW=10.0.0.0/8.",
  self_call: "Choose another URL. An action that calls this server could loop forever.",
  invalid_request: "Check the URL and the headers.",
  dns: "Check the URL's host for typos.",
  connect:
    "Check the host and port, and that the receiver is running and allows connections from this server.",
  tls: "The receiver's certificate isn't valid for this host. Renew it, or use the host name it was issued for.",
  timeout:
    "Increase the timeout under “Limits and position”, or have the receiver respond before it processes the request.",
  reset: "The receiver closed the connection. Check its log.",
  protocol: "Check the port. The server there doesn't use HTTP.",
  credential: "Check the saved credential: its client id, secret, and token URL.",
  cancelled: "The server was stopping. Try again in a moment.",
};
