import { headers } from "next/headers";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

/** The dependencies of accepting an invitation, before anyone of its account acts. */
export async function acceptParts() {
  const { db, env, sealer } = serverContext();
  const request = readRequestOrigin(await headers());
  return { db, env, sealer, request, now: () => new Date() };
}
