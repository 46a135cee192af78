import { type AllowList, parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import type { Env } from "#lib/env.ts";

/**
 * The address of our own catch listener for the web process, and what its client may connect to.
 */
type OwnListener = { readonly origin: string; readonly allow: AllowList };

type ListenerEnv = Pick<Env, "host" | "port" | "publicUrl" | "egressAllow"> & {
  readonly internal: Pick<Env["internal"], "webSocket">;
};

/**
 * The catch listener beside this process, by the address it listens on. If the catch role runs on
 * another machine, there is no socket between the two, and the public URL is used.
 */
export function ownListener({
  host,
  port,
  publicUrl,
  egressAllow,
  internal,
}: ListenerEnv): OwnListener {
  if (internal.webSocket === undefined) return { origin: publicUrl, allow: egressAllow };
  const literal = wildcards.get(host) ?? (host.includes(":") ? `[${host}]` : host);
  const networks = [`127.0.0.0/8:${port}`, `[::1]:${port}`];
  if (/^[\d.]+$|^\[/.test(literal)) networks.push(`${literal}:${port}`);
  const parsed = parseCidrList(networks.join(","));
  return {
    origin: `http://${literal}:${port}`,
    allow: parsed.ok ? [...parsed.cidrs, ...egressAllow] : egressAllow,
  };
}

/** A listener on all addresses also listens on loopback. */
const wildcards = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);
