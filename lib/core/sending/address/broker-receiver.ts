import {
  type BrokerPlace,
  isBrokerUrl,
  readBrokerKind,
  readBrokerOrigin,
} from "#lib/schema/act/broker-origin.ts";
import type { AllowList } from "./allow-list.ts";
import {
  blockedMessage,
  type CheckedUrl,
  checkUrl,
  hasConfusingSyntax,
  mayConnect,
} from "./check-url.ts";
import { isBrokerPort, isKafkaPort } from "./ports.ts";

/** A broker, as a receiver URL such as `amqps://broker.example.com/orders` names it. */
export type BrokerReceiver = {
  /** `amqps://broker.example.com`: the origin of its saved credential. */
  readonly origin: string;
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  readonly vhost: string;
};

/** A cluster of Kafka, as a receiver URL such as `kafkas://one.example.com,two.example.com` names it. */
type KafkaReceiver = {
  readonly origin: string;
  readonly isTls: boolean;
  /** The brokers that are asked for the others. */
  readonly places: readonly BrokerPlace[];
};

type Rejected = Extract<CheckedUrl, { readonly ok: false }>;
type ReadBroker = ({ readonly ok: true } & BrokerReceiver) | Rejected;
type ReadKafka = ({ readonly ok: true } & KafkaReceiver) | Rejected;

/** A short string of AMQP. */
const maxNameBytes = 255;

/** Reads the URL of a broker as RabbitMQ defines it (its "URI Specification"), without a login and parameters. */
export function readBrokerReceiver(text: string): ReadBroker {
  const read = readStart(text);
  if (read === "userinfo") return reject("userinfo_not_allowed", userinfo);
  const vhost = decode(read?.path === "" ? "%2f" : (read?.path ?? ""));
  if (read?.kind !== "rabbitmq" || vhost === null) return reject("invalid_url", invalid);
  if (Buffer.byteLength(vhost) > maxNameBytes)
    return reject("invalid_url", "The name of the virtual host is too long.");
  const { origin, isTls, places } = read;
  return { ok: true, origin, isTls, ...places[0], vhost };
}

/** Reads the URL of a cluster of Kafka: its brokers, and nothing else. */
export function readKafkaReceiver(text: string): ReadKafka {
  const read = readStart(text);
  if (read === "userinfo") return reject("userinfo_not_allowed", userinfo);
  if (read?.kind !== "kafka" || read.path !== "") return reject("invalid_url", invalidCluster);
  const { origin, isTls, places } = read;
  return { ok: true, origin, isTls, places };
}

const invalid =
  "This is not the URL of a broker. Use the form amqps://broker.example.com/vhost, " +
  "with a slash in the name as %2f.";
const invalidCluster =
  "This is not the URL of a Kafka cluster. Use the form kafkas://one.example.com:9093,two.example.com:9093, " +
  "with at most 10 brokers.";
const userinfo = "The URL must not contain a username or password. Save them as a credential.";

/** Null: it isn't the URL of a broker. */
function readStart(text: string) {
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return "userinfo";
  const [, start = "", path = ""] = /^([^/]*\/\/[^/?#]+)(?:\/([^/?#]*))?$/.exec(text.trim()) ?? [];
  const origin = hasConfusingSyntax(text) ? null : readBrokerOrigin(start);
  return origin === null ? null : { ...origin, path };
}

/** `checkUrl`, for receivers of every kind. */
export function checkReceiverUrl(text: string, allowList: AllowList): CheckedUrl {
  const kind = readBrokerKind(text);
  if (kind === null) return checkUrl(text, allowList);
  if (kind === "kafka") return checkKafka(text, allowList);
  const read = readBrokerReceiver(text);
  if (!read.ok) return read;
  const { host, port } = read;
  if (!mayConnect(host, port, allowList, isBrokerPort)) return reject("blocked", blockedMessage);
  return accept(read);
}

/** All brokers of the URL are checked. What the cluster names later is checked when connecting. */
function checkKafka(text: string, allowList: AllowList): CheckedUrl {
  const read = readKafkaReceiver(text);
  if (!read.ok) return read;
  const [first] = read.places;
  const isAllowed = read.places.every(({ host, port }) =>
    mayConnect(host, port, allowList, isKafkaPort),
  );
  if (!isAllowed || first === undefined) return reject("blocked", blockedMessage);
  return accept(first);
}

function accept({ host, port }: BrokerPlace): CheckedUrl {
  const name = host.includes(":") ? `[${host}]` : host;
  return { ok: true, url: new URL(`http://${name}:${port}/`), host, port };
}

/** The origin of a receiver URL, whose credentials it may have. Undefined: it has none. */
export function readReceiverOrigin(text: string): string | undefined {
  if (!isBrokerUrl(text)) return URL.parse(text)?.origin;
  const read =
    readBrokerKind(text) === "kafka" ? readKafkaReceiver(text) : readBrokerReceiver(text);
  return read.ok ? read.origin : undefined;
}

function reject(code: Rejected["code"], message: string): Rejected {
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
