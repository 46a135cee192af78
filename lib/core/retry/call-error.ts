/**
 * How a call can fail without an answer. The net client reports it, the retry planner decides on it, and
 * attempts are stored with it. Codes are stable; messages are for people.
 */
export const callErrorCodes = [
  /** The address or port may not be called; says nothing about what is there. */
  "blocked",
  /** The URL leads back to this server. */
  "self_call",
  /** The request can't be sent as it is: a bad URL, header or method. */
  "invalid_request",
  /** The host's name was not found, or its name server did not answer. */
  "dns",
  /** No connection: refused, unreachable, or not established in time. */
  "connect",
  /** The certificate was not accepted, or the handshake failed. */
  "tls",
  /** The deadline over the whole exchange ended. */
  "timeout",
  /** The connection was closed before the answer was complete. */
  "reset",
  /** What came back is not HTTP. */
  "protocol",
  /** Our side gave up: the run was cancelled or the server is stopping. */
  "cancelled",
] as const;

export type CallErrorCode = (typeof callErrorCodes)[number];
