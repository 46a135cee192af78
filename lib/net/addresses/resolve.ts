import { lookup } from "node:dns/promises";

/**
 * Resolves a host name to all its addresses. Rejects with the resolver's error code (`ENOTFOUND`,
 * …).
 */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * The system's resolver (which also reads /etc/hosts), with concurrent lookups of one name joined.
 * `getaddrinfo` occupies one of a few threads while it waits: without joining, many calls to one
 * slow name server would block every other lookup. Nothing is cached.
 */
export function createSystemResolver(): Resolve {
  const inFlight = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const joined = inFlight.get(host);
    if (joined !== undefined) return joined;
    const answer = lookup(host, { all: true, order: "ipv4first" })
      .then((records) => records.map((record) => record.address))
      .finally(() => inFlight.delete(host));
    inFlight.set(host, answer);
    return answer;
  };
}
