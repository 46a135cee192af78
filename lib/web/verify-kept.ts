import { type PendingVerification, verifyPending } from "#lib/db/verify-pending.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { createSigningKeys } from "#lib/net/signing-keys.ts";
import type { ServerContext } from "./server-context.ts";

/** Verifies and runs what a hook kept while it waited for its secret. The page's button and the API both come here. */
export async function verifyKept(
  { db, sealer, env }: ServerContext,
  accountId: string,
  hookId: string,
): Promise<PendingVerification> {
  const client = createHttpClient({ allow: [], ownOrigins: [env.publicUrl], ownPorts: [env.port] });
  try {
    const signingKeys = createSigningKeys({ client, now: Date.now });
    return await verifyPending(db, accountId, hookId, { sealer, signingKeys, publicOrigin: env.publicUrl });
  } finally {
    await client.close();
  }
}
