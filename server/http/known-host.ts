import { isIP } from "node:net";
import type { Env } from "#lib/env.ts";

type HostEnv = Pick<Env, "publicUrl" | "isPublicUrlGiven">;
type HostRequest = {
  readonly url?: string | undefined;
  readonly headers: { readonly host?: string | undefined };
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * Checks whether the dashboard and the API serve the name in `Host`. Once the operator has
 * configured the public URL, another name is an attacker's domain that points here (DNS rebinding),
 * or a proxy that hides the name. Programs on this machine may also use `localhost`, and health
 * checks and Prometheus an address. Deliveries are exempt: their URL is a secret that no browser has, and
 * rejecting them after a move to another domain would lose them.
 */
export function createHostCheck({
  publicUrl,
  isPublicUrlGiven,
}: HostEnv): (request: HostRequest) => boolean {
  if (!isPublicUrlGiven) return () => true;
  const { host, port, protocol } = new URL(publicUrl);
  const known = new Set([host, port === "" ? `${host}:${protocol === "https:" ? 443 : 80}` : host]);
  return ({ url = "", headers, socket }) => {
    const named = headers.host?.toLowerCase() ?? "";
    if (known.has(named)) return true;
    const name = named.replace(/:\d+$/, "");
    if (
      isLoopback(socket.remoteAddress ?? "") &&
      (name === "localhost" || isLoopback(unbracket(name)))
    )
      return true;
    return (
      /^\/(api\/health(\/live|\/ready)?|metrics)(\?|$)/.test(url) && isIP(unbracket(name)) !== 0
    );
  };
}

function unbracket(name: string): string {
  return name.replace(/^\[(.*)\]$/, "$1");
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && /^(::ffff:)?127\.|^::1$/.test(address);
}
