import { headers } from "next/headers";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";

/** The dependencies of accepting an invitation, before anyone of its account acts. */
export async function acceptParts() {
  const { db, env, sealer } = serverContext();
  const request = readRequestOrigin(await headers());
  return { db, env, sealer, request, now: () => new Date() };
}
