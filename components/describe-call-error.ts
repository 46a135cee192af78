/** What to do about a call that got no answer, by the code of its failure. */
export function describeCallError(code: string): string {
  return hints[code] ?? "Try again; if it stays so, look at the receiver.";
}

const hints: Readonly<Record<string, string>> = {
  blocked:
    "Only public addresses and usual ports may be called, so that nobody can reach into this server's own network. If this receiver is yours, start Catchment with its network allowed, for example CATCHMENT_EGRESS_ALLOW=10.0.0.0/8.",
  self_call: "Choose another receiver: an action that calls this server could go round for ever.",
  invalid_request: "Look at the URL and the headers.",
  dns: "Check the host in the URL for a typing error.",
  connect: "Check the host and port, and that the receiver is running and lets this server in.",
  tls: "The receiver's certificate has to be valid for this host. Renew it, or use the name that it is made for.",
  timeout: "Raise the time-out under “Limits and order”, or let the receiver answer before it does its work.",
  reset: "Look at the receiver's own log: it closed the connection.",
  protocol: "Check the port: what answers there does not speak HTTP.",
  cancelled: "The server was stopping. Try again in a moment.",
};
