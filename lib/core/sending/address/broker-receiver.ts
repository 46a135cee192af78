import { isBrokerUrl, readBrokerOrigin } from "#lib/schema/act/broker-origin.ts";
import type { AllowList } from "./allow-list.ts";
import {
  blockedMessage,
  type CheckedUrl,
  checkUrl,
  hasConfusingSyntax,
  mayConnect,
} from "./check-url.ts";
import { isBrokerPort } from "./ports.ts";

/** A broker, as a receiver URL such as `amqps://broker.example.com/orders` names it. */
export type BrokerReceiver = {
  /** `amqps://broker.example.com`: the origin of its saved credential. */
  readonly origin: string;
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  readonly vhost: string;
};

type ReadBroker =
  | ({ readonly ok: true } & BrokerReceiver)
  | Extract<CheckedUrl, { readonly ok: false }>;

/** A short string of AMQP. */
const maxNameBytes = 255;

/** Reads the URL of a broker as RabbitMQ defines it (its "URI Specification"), without a login and parameters. */
export function readBrokerReceiver(text: string): ReadBroker {
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return reject("userinfo_not_allowed", userinfo);
  const [, start = "", path = ""] = /^([^/]*\/\/[^/?#]+)(?:\/([^/?#]*))?$/.exec(text.trim()) ?? [];
  const broker = hasConfusingSyntax(text) ? null : readBrokerOrigin(start);
  const vhost = decode(path === "" ? "%2f" : path);
  if (broker === null || vhost === null) return reject("invalid_url", invalid);
  if (Buffer.byteLength(vhost) > maxNameBytes)
    return reject("invalid_url", "The name of the virtual host is too long.");
  return { ok: true, ...broker, vhost };
}

const invalid =
  "This is not the URL of a broker. Use the form amqps://broker.example.com/vhost, " +
  "with a slash in the name as %2f.";
const userinfo = "The URL must not contain a username or password. Save them as a credential.";

/** `checkUrl`, for receivers of every kind. */
export function checkReceiverUrl(text: string, allowList: AllowList): CheckedUrl {
  if (!isBrokerUrl(text)) return checkUrl(text, allowList);
  const read = readBrokerReceiver(text);
  if (!read.ok) return read;
  const { host, port } = read;
  if (!mayConnect(host, port, allowList, isBrokerPort)) return reject("blocked", blockedMessage);
  const name = host.includes(":") ? `[${host}]` : host;
  return { ok: true, url: new URL(`http://${name}:${port}/`), host, port };
}

/** The origin of a receiver URL, whose credentials it may have. Undefined: it has none. */
export function readReceiverOrigin(text: string): string | undefined {
  if (!isBrokerUrl(text)) return URL.parse(text)?.origin;
  const read = readBrokerReceiver(text);
  return read.ok ? read.origin : undefined;
}

function reject(
  code: Extract<CheckedUrl, { ok: false }>["code"],
  message: string,
): Extract<CheckedUrl, { ok: false }> {
  return { ok: false, code, message };
}

/** Null: a percent sign isn't followed by two digits, or the bytes aren't text. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
