import { headers } from "next/headers";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

/** What accepting an invitation needs, before anyone of its account acts. */
export async function acceptParts() {
  const { db, env, sealer } = serverContext();
  const request = readRequestOrigin(await headers());
  return { db, env, sealer, request, now: () => new Date() };
}
