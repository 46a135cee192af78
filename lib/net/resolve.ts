import { lookup } from "node:dns/promises";

/** Resolves a host name to all its addresses. Rejects with the resolver's error code (`ENOTFOUND`, …). */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * The system's resolver (also reads /etc/hosts), asked once for all callers that want a name at the same time.
 * `getaddrinfo` holds one of a few threads while it waits; without joining, one slow name server and many
 * calls to it would stop every other look-up. Nothing is kept after the answer.
 */
export function createSystemResolver(): Resolve {
  const underWay = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const joined = underWay.get(host);
    if (joined !== undefined) return joined;
    const answer = lookup(host, { all: true, order: "ipv4first" })
      .then((records) => records.map((record) => record.address))
      .finally(() => underWay.delete(host));
    underWay.set(host, answer);
    return answer;
  };
}
