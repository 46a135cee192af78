import { CallFailure, toCallFailure } from "../call-failure.ts";

/** A reply of AMQP (specification 0-9-1, §1.2), such as 404 NOT_FOUND. */
export type BrokerReply = { readonly code: number; readonly text: string };

/** The failure of a message, with the broker's reply if there was one. */
export class BrokerFailure extends CallFailure {
  readonly reply: BrokerReply | null;

  constructor(code: CallFailure["code"], message: string, reply: BrokerReply | null = null) {
    super(code, message);
    this.reply = reply;
  }
}

const maxTextChars = 500;

/** The failure of a message that the broker replied to. */
export function failByReply({ code, text }: BrokerReply, hint = ""): BrokerFailure {
  const reply = { code, text: text.slice(0, maxTextChars) };
  const message = `The broker replied ${code} ${reply.text}${hint}`;
  return new BrokerFailure(isBrokerDown(code) ? "unavailable" : "undelivered", message, reply);
}

/** True if a reply is about the broker or the connection, and not about what was sent. */
function isBrokerDown(code: number): boolean {
  return code === 320 || code >= 500;
}

/** Turns an error of amqplib, `node:net`, or `node:tls` into a failure. Contains no address. */
export function toBrokerFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  const text = error instanceof Error ? error.message : String(error);
  const [, code, says] = /\b(\d{3}) \([^)]*\) with message "([\s\S]*)"/.exec(text) ?? [];
  if (code !== undefined && says !== undefined)
    return failByReply({ code: Number(code), text: says });
  // The library doesn't pass on what the broker replied here: 530 NOT_ALLOWED, or 403 ACCESS_REFUSED.
  if (text.startsWith("Expected ConnectionOpenOk"))
    return new BrokerFailure(
      "undelivered",
      "The broker has no such virtual host, or this user may not use it",
    );
  if (/^(?:Unexpected close$|Socket closed abruptly)/.test(text))
    return new CallFailure(
      "reset",
      "The connection was closed before the broker confirmed the message.",
    );
  if (/^connect ETIMEDOUT$|abort/i.test(text))
    return new CallFailure("connect", "The broker didn't accept the connection in time.");
  const failure = toCallFailure(error);
  if (failure.code !== "protocol") return failure;
  return new BrokerFailure(
    "unavailable",
    `The connection to the broker failed (${text.slice(0, maxTextChars)})`,
  );
}
