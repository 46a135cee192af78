/**
 * The codes of requests that fail without a response. They are stored with attempts and used to
 * plan retries, so they are stable.
 */
export const callErrorCodes = [
  /** The address or port is not allowed. */
  "blocked",
  /** The URL points to this server. */
  "self_call",
  /** An invalid URL, header, or method. */
  "invalid_request",
  /** The host name was not found, or its name server did not respond. */
  "dns",
  /** No connection: refused, unreachable, or not established in time. */
  "connect",
  /** The certificate is invalid, or the handshake failed. */
  "tls",
  /** The deadline of the whole request passed. */
  "timeout",
  /** The connection was closed before the response was complete. */
  "reset",
  /** The response is not HTTP. */
  "protocol",
  /**
   * The call's credential can't be used: its token server rejected the request, or it is for
   * another origin.
   */
  "credential",
  /** The receiver responded that it won't take this event, now or later. */
  "rejected",
  /** The receiver responded that it can't take this event as things are, such as without a queue for it. */
  "undelivered",
  /** The receiver responded that it can't take events now. */
  "unavailable",
  /** The run was canceled, or the server is stopping. */
  "cancelled",
] as const;

export type CallErrorCode = (typeof callErrorCodes)[number];
