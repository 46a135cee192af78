import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import {
  createSessionCheck,
  deriveSessionSecret,
  sessionCookie,
} from "#lib/core/people/sign-in/session-cookie.ts";

/**
 * Returns what checks that a request has a session cookie that this installation made. Who may read
 * what is decided where the data is.
 */
export function createPersonCheck(
  secretKey: string,
  isHttps: boolean,
): (request: IncomingMessage) => boolean {
  const start = `${sessionCookie(isHttps).name}=`;
  const isSession = createSessionCheck(deriveSessionSecret(secretKey));
  const known = new LRUCache<string, boolean>({ max: 1_000, ttl: 60_000 });
  return ({ headers }) => {
    const parts = headers.cookie?.split("; ") ?? [];
    const cookie = parts.find((part) => part.startsWith(start))?.slice(start.length);
    if (cookie === undefined) return false;
    const isPerson = known.get(cookie) ?? isSession(cookie, Date.now());
    known.set(cookie, isPerson);
    return isPerson;
  };
}
