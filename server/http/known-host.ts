import { isIP } from "node:net";
import type { Env } from "#lib/core/env/parse-env.ts";

type HostEnv = Pick<Env, "publicUrl" | "isPublicUrlGiven">;
type HostRequest = {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> & {
    readonly host?: string | undefined;
  };
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

/**
 * True for a page in a browser that reached us by a name of its own (DNS rebinding), for what needs no
 * token. Browsers always send a language, and Prometheus and curl don't, so those can use any name. A
 * person can use an address, `localhost`, or a name without a dot, which no page can have.
 */
export function isForeignPage({ headers }: Pick<HostRequest, "headers">): boolean {
  if (!browserHeaders.some((name) => headers[name] !== undefined)) return false;
  const name = unbracket((headers.host ?? "").toLowerCase().replace(/:\d+$/, ""));
  return isIP(name) === 0 && !/^[a-z0-9_-]+$/.test(name);
}

const browserHeaders = ["accept-language", "origin", "referer", "sec-fetch-site"];

function unbracket(name: string): string {
  return name.replace(/^\[(.*)\]$/, "$1");
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && /^(::ffff:)?127\.|^::1$/.test(address);
}
