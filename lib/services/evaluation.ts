import { toProxyRoute } from "#lib/core/env/egress-proxy.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import { EventCatalog, type RunChecks } from "#lib/event-schemas/event-catalog.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { createSigningKeys } from "#lib/net/signing-keys.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";

/**
 * Provides what verifying a stored delivery needs while `run` runs. Published keys are fetched from
 * their providers.
 */
export async function withEvaluationParts<Result>(
  { sealer, env }: ServiceParts,
  run: (parts: EvaluationParts) => Promise<Result>,
): Promise<Result> {
  const client = createHttpClient({
    allow: [],
    ownOrigins: [env.publicUrl],
    ownPorts: [env.port],
    proxy: toProxyRoute(env),
  });
  try {
    const signingKeys = createSigningKeys({ client, now: Date.now });
    return await run({ sealer, signingKeys, publicOrigin: env.publicUrl, createEventCheck });
  } finally {
    await client.close();
  }
}

function createEventCheck(db: SqlStatements) {
  const runChecks: RunChecks = (check, options) => webThreads().run("checkData", check, options);
  return new EventCatalog({ db, runChecks, now: Date.now }).check;
}
