/** The reason why a broker doesn't work now. Its `code` goes to the log. */
export class BrokerError extends Error {
  readonly code: BrokerErrorCode;

  constructor(code: BrokerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

type BrokerErrorCode =
  | "BROKER_AWAY"
  | "BROKER_TIMEOUT"
  | "BROKER_BLOCKED"
  | "BROKER_NO_QUEUE"
  | "BROKER_REJECTED"
  | "BROKER_TOO_LARGE"
  /** Trying again doesn't help: an operator has to change something. */
  | "BROKER_SETUP";

/** AMQP's reply codes (specification 0-9-1, §1.2) that trying again doesn't change. */
const setupCodes: ReadonlySet<unknown> = new Set([403, 404, 406, 530]);

/** Errors of TLS that trying again doesn't change. */
const certificateCodes =
  /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_SSL_)/;

export function toBrokerError(error: unknown): BrokerError {
  if (error instanceof BrokerError) return error;
  const message = explain(error instanceof Error ? error.message : String(error));
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  const isSetup =
    setupCodes.has(code) ||
    (typeof code === "string" && certificateCodes.test(code)) ||
    /ACCESS[-_]REFUSED|NOT[-_]ALLOWED/.test(message);
  return new BrokerError(isSetup ? "BROKER_SETUP" : "BROKER_AWAY", message, { cause: error });
}

/** The client's own messages for these two errors don't say what to change. */
function explain(message: string): string {
  if (message.startsWith("Expected ConnectionOpenOk"))
    return "There is no such virtual host, or this user may not use it, or it is starting";
  if (message.includes("wrong version number")) return "This port doesn't speak TLS";
  return message.trim();
}
