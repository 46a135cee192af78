/** The start of the URL of a broker, or of a cluster of them. */
type BrokerOrigin = {
  readonly kind: BrokerKind;
  /** Canonical, without usual ports: `amqps://broker.example.com`. */
  readonly origin: string;
  readonly isTls: boolean;
  /** One for RabbitMQ. For Kafka, those that the others are asked from. */
  readonly places: readonly [BrokerPlace, ...BrokerPlace[]];
};

export type BrokerKind = "rabbitmq" | "kafka";

export type BrokerPlace = {
  /** Without brackets or a trailing dot. */
  readonly host: string;
  readonly port: number;
};

type Scheme = {
  readonly kind: BrokerKind;
  readonly isTls: boolean;
  readonly port: number;
  readonly maxPlaces: number;
};

const schemes: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ["amqps", { kind: "rabbitmq", isTls: true, port: 5671, maxPlaces: 1 }],
  ["amqp", { kind: "rabbitmq", isTls: false, port: 5672, maxPlaces: 1 }],
  ["kafkas", { kind: "kafka", isTls: true, port: 9093, maxPlaces: 10 }],
  ["kafka", { kind: "kafka", isTls: false, port: 9092, maxPlaces: 10 }],
]);

/** Reads `amqps://broker.example.com:5671`, or `kafkas://one.example.com,two.example.com`. Null: it is neither. */
export function readBrokerOrigin(text: string): BrokerOrigin | null {
  const [, name = "", authority = ""] = /^(\w+):\/\/([^/?#]+)$/.exec(text.trim()) ?? [];
  const scheme = schemes.get(name.toLowerCase());
  if (scheme === undefined) return null;
  const [first, ...more] = authority.split(",").map((part) => readBrokerPlace(part, scheme.port));
  if (first === undefined || first === null) return null;
  const others = more.filter((place) => place !== null);
  const named = [first, ...others].map((place) => namePlace(place, scheme.port));
  if (others.length < more.length || named.length > scheme.maxPlaces) return null;
  if (new Set(named).size < named.length) return null;
  const origin = `${name.toLowerCase()}://${named.join(",")}`;
  return { kind: scheme.kind, origin, isTls: scheme.isTls, places: [first, ...others] };
}

/** Reads `broker.example.com:9092`. Null: it isn't a host with a port. */
export function readBrokerPlace(text: string, usualPort: number): BrokerPlace | null {
  const [, authority = "", given] =
    /^([\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  // As for HTTP, so that an address in another form is the one that is connected to.
  const url = authority === "" ? null : URL.parse(`https://${authority}/`);
  const port = given === undefined ? usualPort : Number(given);
  if (url === null || port < 1 || port > 65_535) return null;
  const host = url.hostname.replace(/\.$/, "").replace(/^\[(.*)\]$/, "$1");
  return { host, port };
}

function namePlace({ host, port }: BrokerPlace, usualPort: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === usualPort ? name : `${name}:${port}`;
}

/** The kind of broker that the scheme of a URL names. Null: it is another URL. */
export function readBrokerKind(text: string): BrokerKind | null {
  const [, name = ""] = /^\s*(\w+):/.exec(text) ?? [];
  return schemes.get(name.toLowerCase())?.kind ?? null;
}

/** True if a URL is that of a broker, as its scheme says. */
export function isBrokerUrl(text: string): boolean {
  return readBrokerKind(text) !== null;
}
