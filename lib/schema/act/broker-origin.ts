/** The start of a broker's URL. */
type BrokerOrigin = {
  /** Canonical, without the usual port: `amqps://broker.example.com`. */
  readonly origin: string;
  readonly isTls: boolean;
  /** Without brackets or a trailing dot. */
  readonly host: string;
  readonly port: number;
};

/** Reads `amqps://broker.example.com:5671`. Null: it isn't the start of a broker's URL. */
export function readBrokerOrigin(text: string): BrokerOrigin | null {
  const [, scheme = "", authority = "", given] =
    /^(amqps?):\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  // As for HTTP, so that an address in another form is the one that is connected to.
  const url = authority === "" ? null : URL.parse(`https://${authority}/`);
  const isTls = scheme.toLowerCase() === "amqps";
  const usual = isTls ? 5671 : 5672;
  const port = given === undefined ? usual : Number(given);
  if (url === null || port < 1 || port > 65_535) return null;
  const name = url.hostname.replace(/\.$/, "");
  const at = port === usual ? "" : `:${port}`;
  const origin = `${scheme.toLowerCase()}://${name}${at}`;
  return { origin, isTls, host: name.replace(/^\[(.*)\]$/, "$1"), port };
}

/** True if a URL is that of a broker, as its scheme says. */
export function isBrokerUrl(text: string): boolean {
  return /^\s*amqps?:/i.test(text);
}
