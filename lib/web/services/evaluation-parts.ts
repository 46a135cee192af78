import type { EvaluationParts } from "#lib/catch/stored/evaluate-stored.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { createSigningKeys } from "#lib/net/signing-keys.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/**
 * Provides what verifying a stored delivery needs while `run` runs. Published keys are fetched from
 * their providers.
 */
export async function withEvaluationParts<Result>(
  { sealer, env }: ServerContext,
  run: (parts: EvaluationParts) => Promise<Result>,
): Promise<Result> {
  const client = createHttpClient({ allow: [], ownOrigins: [env.publicUrl], ownPorts: [env.port] });
  try {
    const signingKeys = createSigningKeys({ client, now: Date.now });
    return await run({ sealer, signingKeys, publicOrigin: env.publicUrl });
  } finally {
    await client.close();
  }
}
