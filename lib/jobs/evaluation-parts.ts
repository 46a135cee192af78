import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { HttpClient } from "#lib/net/http-client.ts";

export type EvaluationOptions = {
  readonly db: SqlDatabase;
  readonly sealer: Sealer;
  /** Fetches the keys of providers that publish them. */
  readonly client: HttpClient;
  readonly publicOrigin: string;
};

/** The provider catalog is loaded with the first job that needs it: other workers don't. */
export async function loadEvaluationParts({
  sealer,
  client,
  publicOrigin,
}: EvaluationOptions): Promise<EvaluationParts> {
  const [{ createSigningKeys }, { EventCatalog }, { CheckThreads }] = await Promise.all([
    import("#lib/net/signing-keys.ts"),
    import("#lib/event-schemas/event-catalog.ts"),
    import("#lib/event-schemas/check-threads.ts"),
  ]);
  const { run: runChecks } = new CheckThreads();
  return {
    sealer,
    signingKeys: createSigningKeys({ client, now: Date.now }),
    publicOrigin,
    createEventCheck: (db) => new EventCatalog({ db, runChecks, now: Date.now }).check,
  };
}
