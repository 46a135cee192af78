import { errorCode } from "#lib/base/errors.ts";
import { blockedMessage } from "#lib/core/sending/address/check-url.ts";
import type { CallErrorCode } from "#lib/core/sending/retry/call-error.ts";

/** A failure found by the connector or the client. It travels through undici as an error. */
export class CallFailure extends Error {
  readonly code: CallErrorCode;

  constructor(code: CallErrorCode, message: string = callErrorMessages[code]) {
    super(message);
    this.name = "CallFailure";
    this.code = code;
  }
}

/**
 * Turns any error from undici, node:net, node:tls, or the resolver into a failure with a stable
 * code. Messages contain no addresses, because users see them.
 */
export function toCallFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  const { code, message } = readError(error);
  if (code.startsWith("ERR_TLS") || code.startsWith("ERR_SSL") || tlsCodes.has(code)) {
    return new CallFailure("tls", `${callErrorMessages.tls} (${code})`);
  }
  if (connectCodes.has(code))
    return new CallFailure("connect", `${callErrorMessages.connect} (${code})`);
  if (resetCodes.has(code)) return new CallFailure("reset");
  if (dnsCodes.has(code)) return new CallFailure("dns", `${callErrorMessages.dns} (${code})`);
  if (requestCodes.has(code))
    return new CallFailure("invalid_request", `The request can't be sent: ${message}.`);
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED")
    return new CallFailure("cancelled");
  return new CallFailure("protocol", describeProtocol(code, message));
}

/** The limit of a response's headers. */
export const maxResponseHeaderBytes = 64 * 1024;

/** Says what the parser, whose texts are constants, found in the response. */
function describeProtocol(code: string, message: string): string {
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return `The receiver's response has more than ${maxResponseHeaderBytes / 1024} KiB of headers, which is the limit.`;
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH")
    return "The receiver's response contradicts its Content-Length.";
  const reason = /^Response does not match the HTTP\/1\.1 protocol \((.+)\)$/.exec(message)?.[1];
  if (reason !== undefined) return `The receiver's response is not valid HTTP: ${reason}.`;
  return code === "" ? callErrorMessages.protocol : `${callErrorMessages.protocol} (${code})`;
}

const callErrorMessages: Record<CallErrorCode, string> = {
  blocked: blockedMessage,
  self_call: "This URL points to this server. Actions can't call Catchment's own catch URLs.",
  invalid_request: "The request is not valid and can't be sent.",
  dns: "The host name could not be resolved.",
  connect: "Could not connect to the receiver.",
  tls: "The receiver's certificate is not trusted, or the TLS handshake failed.",
  timeout: "The receiver did not finish its response in time.",
  reset: "The connection was closed before the response was complete.",
  protocol: "The receiver's response is not valid HTTP.",
  credential: "The credential could not be used.",
  rejected: "The receiver rejected the event.",
  undelivered: "The receiver didn't take the event.",
  unavailable: "The receiver can't take events now.",
  cancelled: "The call was canceled.",
};

const connectCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
  "EACCES",
  "EPERM",
  "EINVAL",
  "EMFILE",
  "ENFILE",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const resetCodes: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "UND_ERR_SOCKET",
]);

const dnsCodes: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "EAI_MEMORY",
  "ENODATA",
  "ESERVFAIL",
]);

const requestCodes: ReadonlySet<string> = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);

/** OpenSSL's X509 verify results, with node:tls names. */
const tlsCodes: ReadonlySet<string> = new Set([
  "EPROTO",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_UNTRUSTED",
  "CERT_REJECTED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_CHAIN_TOO_LONG",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "HOSTNAME_MISMATCH",
]);

function readError(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: "", message: String(error) };
  return { code: errorCode(error) ?? "", message: error.message };
}
