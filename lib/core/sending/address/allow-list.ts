import ipaddr from "ipaddr.js";
import { classifyAddress, type ParsedAddress, parseAddress } from "./classify-address.ts";
import { isOrdinaryPort } from "./ports.ts";

/** An allow-list entry. `port: null` means all ordinary ports; a number means exactly that port. */
type AllowRule = {
  readonly network: ParsedAddress;
  readonly prefixLength: number;
  readonly port: number | null;
};

export type AllowList = readonly AllowRule[];

/** Whether a port is one that any public address may be called at. */
export type IsOrdinary = (port: number) => boolean;

type ParsedCidrList =
  | { readonly ok: true; readonly cidrs: AllowList }
  | { readonly ok: false; readonly message: string };

/**
 * Parses a list of networks, separated by commas or white space: `10.0.0.0/8`, `127.0.0.1`,
 * `10.1.2.3:5432`, `10.0.0.0/8:8443`, `fd00::/8`, `[::1]:8080`, `[fd00::/8]:443`.
 *
 * @returns the rules, or a message about the invalid entry
 */
export function parseCidrList(text: string): ParsedCidrList {
  const cidrs: AllowRule[] = [];
  for (const entry of text.split(/[\s,]+/)) {
    if (entry === "") continue;
    const rule = parseRule(entry);
    if (typeof rule === "string") return { ok: false, message: `"${entry}" ${rule}` };
    cidrs.push(rule);
  }
  return { ok: true, cidrs };
}

/**
 * Decides whether a connection is allowed. Public addresses are allowed on ordinary ports. Any
 * other address needs a rule, and any other port needs a rule with that port, so that allowing a
 * network doesn't open its databases.
 */
export function isAllowed(
  address: string,
  port: number,
  allowList: AllowList,
  isOrdinary: IsOrdinary = isOrdinaryPort,
): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (allowList.some((rule) => rule.port === port && isWithin(parsed, rule))) return true;
  if (!isOrdinary(port)) return false;
  if (classifyAddress(address).kind === "public") return true;
  return allowList.some((rule) => rule.port === null && isWithin(parsed, rule));
}

/**
 * Like `isAllowed`, for an address of this machine. It counts as loopback, because services on all
 * interfaces trust local clients. It needs a rule for loopback or for exactly this address. A rule
 * for its network isn't enough.
 */
export function isAllowedHere(
  address: string,
  port: number,
  allowList: AllowList,
  isOrdinary: IsOrdinary = isOrdinaryPort,
): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  const isLoopback = classifyAddress(address).kind === "special" && parsed.range() === "loopback";
  if (isLoopback) return isAllowed(address, port, allowList, isOrdinary);
  const loopback = parseAddress(parsed.kind() === "ipv4" ? "127.0.0.1" : "::1");
  const whole = parsed.kind() === "ipv4" ? 32 : 128;
  return allowList.some(
    (rule) =>
      (rule.port === port || (rule.port === null && isOrdinary(port))) &&
      ((rule.prefixLength === whole && isWithin(parsed, rule)) ||
        (loopback !== null && isWithin(loopback, rule))),
  );
}

/**
 * True if an address is in one of the networks, ignoring ports. Used for trusted proxies, for
 * example.
 */
export function isInNetworks(address: string, networks: AllowList): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && networks.some((rule) => isWithin(parsed, rule));
}

function isWithin(address: ParsedAddress, rule: AllowRule): boolean {
  return address.kind() === rule.network.kind() && address.match(rule.network, rule.prefixLength);
}

function parseRule(entry: string): AllowRule | string {
  const parts = splitPort(entry);
  if (parts === null)
    return "is not a network. Use the form 10.0.0.0/8, 127.0.0.1:8080, or [fd00::/8]:443";
  const { addressText, prefixText, portText } = parts;
  const network = parseAddress(addressText);
  if (network === null)
    return "is not an IP network. Host names are not allowed. Use the form 10.0.0.0/8";
  if (addressText.includes(":") && network.kind() === "ipv4") {
    return `is an IPv4-mapped IPv6 address. Write it as ${network.toString()}`;
  }
  const bits = network.kind() === "ipv4" ? 32 : 128;
  const prefixLength = prefixText === undefined ? bits : Number(prefixText);
  if (prefixLength > bits) return `has a prefix longer than ${bits} bits`;
  const first = firstAddress(network, prefixLength);
  if (first !== network.toNormalizedString()) {
    return `has bits set after its prefix. Did you mean ${ipaddr.parse(first).toString()}/${prefixLength}?`;
  }
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65_535))
    return "has a port that is not between 1 and 65535";
  return { network, prefixLength, port };
}

type RuleText = {
  addressText: string;
  prefixText: string | undefined;
  portText: string | undefined;
};

function splitPort(entry: string): RuleText | null {
  const match =
    /^\[(?<v6>[^\]/]+)(?:\/(?<v6prefix>\d{1,3}))?\](?::(?<v6port>\d{1,5}))?$/.exec(entry) ??
    /^(?<v4>[\d.]+)(?:\/(?<v4prefix>\d{1,2}))?(?::(?<v4port>\d{1,5}))?$/.exec(entry) ??
    /^(?<bare>[^/[\]]+)(?:\/(?<bareprefix>\d{1,3}))?$/.exec(entry);
  const groups = match?.groups;
  if (groups === undefined) return null;
  const addressText = groups.v6 ?? groups.v4 ?? groups.bare;
  if (addressText === undefined) return null;
  return {
    addressText,
    prefixText: groups.v6prefix ?? groups.v4prefix ?? groups.bareprefix,
    portText: groups.v6port ?? groups.v4port,
  };
}

function firstAddress(network: ParsedAddress, prefixLength: number): string {
  const bytes = network.toByteArray().map((byte, index) => {
    const keptBits = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - keptBits)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes).toNormalizedString();
}
