import {
  type AllowList,
  isInNetworks,
  parseCidrList,
} from "#lib/core/sending/address/allow-list.ts";

/** A proxy for calls, from a URL such as `http://user:password@proxy.internal:3128`. */
export type EgressProxy = {
  readonly kind: "http" | "https" | "socks5";
  readonly host: string;
  readonly port: number;
  /** Null: the proxy asks for none. */
  readonly login: { readonly user: string; readonly password: string } | null;
};

/** What is reached without the proxy. */
export type ProxyExceptions = {
  readonly networks: AllowList;
  /** Names in lower case: `api.example.com`, or `.example.com` for all names below it. */
  readonly hosts: readonly string[];
};

/** The way of calls out of this server. */
export type ProxyRoute = {
  readonly server: EgressProxy;
  readonly except: ProxyExceptions;
};

export function toProxyRoute({
  egressProxy,
  egressProxyExcept,
}: {
  readonly egressProxy?: EgressProxy | undefined;
  readonly egressProxyExcept: ProxyExceptions;
}): ProxyRoute | undefined {
  return egressProxy === undefined ? undefined : { server: egressProxy, except: egressProxyExcept };
}

/**
 * Reads a list such as `10.0.0.0/8, api.internal.example, *.corp.example`.
 *
 * @returns the exceptions, or the end of a sentence that says what to change
 */
export function readProxyExceptions(text: string): ProxyExceptions | string {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "");
  const names = entries.filter((entry) => hostName.test(entry));
  const networks = parseCidrList(entries.filter((entry) => !hostName.test(entry)).join(","));
  if (!networks.ok) return `is invalid: ${networks.message}`;
  const hosts = names.map((name) => name.toLowerCase().replace(/^\*\./, "."));
  return { networks: networks.cidrs, hosts };
}

/** It ends with a name that no address ends with. */
const hostName = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?$/i;

/** True if a name that leads to a checked address is reached without the proxy. */
export function isExcepted(
  host: string,
  address: string,
  { networks, hosts }: ProxyExceptions,
): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return (
    isInNetworks(address, networks) ||
    hosts.some((one) => (one.startsWith(".") ? name.endsWith(one) : name === one))
  );
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const;
const kinds = Object.keys(defaultPorts) as EgressProxy["kind"][];
const general =
  "must be a URL like http://user:password@proxy.internal:3128 or socks5://proxy:1080";

/** @returns the proxy, or the end of a sentence that says what to change. It never contains the URL */
export function readEgressProxy(text: string): EgressProxy | string {
  const url = URL.parse(text.trim());
  if (url === null || url.hostname === "") return general;
  if (url.protocol === "socks5h:")
    return "must begin with socks5: this server looks names up itself, to check their addresses";
  const kind = kinds.find((one) => `${one}:` === url.protocol);
  if (kind === undefined || url.search !== "" || url.hash !== "" || !/^\/?$/.test(url.pathname))
    return general;
  const login = readLogin(url);
  if (typeof login === "string") return login;
  return {
    kind,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? defaultPorts[kind] : Number(url.port),
    login,
  };
}

/** For people, without user and password. */
export function nameEgressProxy({ kind, host, port }: EgressProxy): string {
  return `${kind}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The lengths that a SOCKS5 proxy can be told (RFC 1929). */
const maxLoginBytes = 255;

function readLogin({ username, password }: URL): EgressProxy["login"] | string {
  if (username === "" && password === "") return null;
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    const isTooLong = Object.values(login).some((one) => Buffer.byteLength(one) > maxLoginBytes);
    return isTooLong ? `has a user or password of more than ${maxLoginBytes} bytes` : login;
  } catch {
    return "has a percent sign that isn't followed by two digits";
  }
}
