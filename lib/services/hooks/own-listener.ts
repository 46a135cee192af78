import { type AllowList, parseCidrList } from "#lib/core/address/allow-list.ts";
import type { Env } from "#lib/env.ts";

/**
 * Where the web process reaches our own catch listener, and what a client must be allowed for it.
 */
export type OwnListener = { readonly origin: string; readonly allow: AllowList };

type ListenerEnv = Pick<Env, "host" | "port" | "publicUrl" | "egressAllow"> & {
  readonly internal: Pick<Env["internal"], "webSocket">;
};

/**
 * The catch listener beside this process, by the address it listens on. If the catch role runs on
 * another machine (there is no socket between the two then), the public URL.
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

/** It listens on all addresses, so loopback works too. */
const wildcards = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);
