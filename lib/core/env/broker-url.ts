/** Where a broker is, and the queue in it, from an `amqp(s)` URL. */
export type BrokerUrl = {
  readonly isTls: boolean;
  /** In the order in which they are tried. */
  readonly hosts: readonly [BrokerHost, ...BrokerHost[]];
  readonly user: string;
  readonly password: string;
  readonly vhost: string;
  readonly queue: string;
  /** The certificates of its authority. Undefined: those that Node trusts. */
  readonly caFile: string | undefined;
};

export type BrokerHost = { readonly host: string; readonly port: number };

type BrokerUrlResult =
  | ({ readonly ok: true } & BrokerUrl)
  /** The error, as the end of a sentence. Never contains the URL, which has a password. */
  | { readonly ok: false; readonly message: string };

const maxHosts = 16;
const general =
  "must be a URL like amqps://user:password@host1:5671,host2:5671/vhost?cacertfile=/etc/ssl/broker.pem";
const shape =
  /^(amqps?):\/\/(?:([^:@/?#]*):([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/i;

/**
 * Reads the URL of a broker as RabbitMQ defines it (its "URI Specification" and "URI Query
 * Parameters"), with one host or several, and the queue as a parameter of our own.
 */
export function readBrokerUrl(text: string): BrokerUrlResult {
  const [, scheme = "", user = "guest", password = "guest", authority = "", vhost, query = ""] =
    shape.exec(text.trim()) ?? [];
  if (scheme === "") return { ok: false, message: general };
  const isTls = scheme.toLowerCase() === "amqps";
  const hosts = authority.split(",").map((host) => readHost(host, isTls));
  const [first, ...others] = hosts.filter((host) => host !== null);
  if (first === undefined || others.length + 1 !== hosts.length || hosts.length > maxHosts)
    return { ok: false, message: general };
  const options = readOptions(query);
  if (!options.ok) return options;
  const { queue, caFile } = options;
  if (caFile !== undefined && !isTls)
    return { ok: false, message: "has a cacertfile, which needs amqps instead of amqp" };
  try {
    return {
      ...{ ok: true, isTls, hosts: [first, ...others], queue, caFile },
      ...{ user: decodeURIComponent(user), password: decodeURIComponent(password) },
      // Without a path it is the default one. An empty path would be the one with an empty name.
      vhost: vhost === undefined || vhost === "" ? "/" : decodeURIComponent(vhost),
    };
  } catch {
    return { ok: false, message: "has a percent sign that isn't followed by two digits" };
  }
}

/** For people: the hosts without user and password. */
export function nameBroker({ hosts }: Pick<BrokerUrl, "hosts">): string {
  return hosts.map(nameHost).join(", ");
}

export function nameHost({ host, port }: BrokerHost): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function readHost(text: string, isTls: boolean): BrokerHost | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(text);
  if (match === null) return null;
  const [, address, name = "", port = isTls ? "5671" : "5672"] = match;
  if (Number(port) < 1 || Number(port) > 65_535) return null;
  return { host: address ?? name, port: Number(port) };
}

type Options =
  | { readonly ok: true; readonly queue: string; readonly caFile: string | undefined }
  | { readonly ok: false; readonly message: string };

const maxQueueNameBytes = 200;

function readOptions(query: string): Options {
  const given = new URLSearchParams(query);
  const unknown = [...given.keys()].find((name) => name !== "queue" && name !== "cacertfile");
  if (unknown !== undefined)
    return { ok: false, message: "has a parameter other than queue and cacertfile" };
  const queue = given.get("queue") ?? "catchment.spool";
  if (!/^[\w.:-]+$/.test(queue) || queue.length > maxQueueNameBytes || queue.startsWith("amq."))
    return {
      ok: false,
      message:
        "has a queue whose name isn't letters, digits, dots, colons, hyphens, and underscores",
    };
  const caFile = given.get("cacertfile") ?? undefined;
  if (caFile !== undefined && !caFile.startsWith("/"))
    return { ok: false, message: "has a cacertfile that isn't an absolute path" };
  return { ok: true, queue, caFile };
}
