import type { EvaluationParts } from "#lib/catch/stored/evaluate-stored.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { createSigningKeys } from "#lib/net/signing-keys.ts";
import { EventCatalog, type RunChecks } from "#lib/publish/schemas/event-catalog.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { webThreads } from "./web-threads.ts";

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
    return await run({ sealer, signingKeys, publicOrigin: env.publicUrl, createEventCheck });
  } finally {
    await client.close();
  }
}

function createEventCheck(db: SqlStatements) {
  const runChecks: RunChecks = (checks, options) => webThreads().run("checkData", checks, options);
  return new EventCatalog({ db, runChecks, now: Date.now }).check;
}
