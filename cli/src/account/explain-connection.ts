const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there. Is Catchment running?",
  ECONNRESET: "it was closed before a response. Is it http:// or https://?",
  ENOTFOUND: "there is no such host.",
  EAI_AGAIN: "the name server doesn't respond. Is this machine online?",
  ETIMEDOUT: "no response in time. Is a proxy or a VPN needed?",
  UND_ERR_CONNECT_TIMEOUT: "no response in time. Is a proxy or a VPN needed?",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed. Set NODE_EXTRA_CA_CERTS to it.",
  SELF_SIGNED_CERT_IN_CHAIN:
    "its certificate is of an unknown authority. Set NODE_EXTRA_CA_CERTS to the authority's.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate is of an unknown authority. Set NODE_EXTRA_CA_CERTS to the authority's.",
  CERT_HAS_EXPIRED: "its certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name.",
  EPROTO: "it doesn't speak TLS. Is it http://?",
  ERR_SSL_WRONG_VERSION_NUMBER: "it doesn't speak TLS. Is it http://?",
};

/** Why there was no response, from the error of `fetch` or of the client: the rest of a sentence. */
export function explainConnection(error: unknown): string {
  const cause = deepestCause(error);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
}

/** The client wraps the error of `fetch`, which wraps that of the socket. Several addresses: the first. */
function deepestCause(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0];
  if (error instanceof Error && error.cause instanceof Error) return deepestCause(error.cause);
  return error;
}
