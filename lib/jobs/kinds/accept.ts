import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import type { RejectedFilter } from "#lib/schema/receive/delivery.ts";
import { defineJob, type Job } from "../job.ts";
import { lockRow } from "../lock-row.ts";

export type AcceptOptions = {
  readonly db: SqlDatabase;
  readonly sealer: Sealer;
  /** Fetches the keys of providers that publish them. */
  readonly client: HttpClient;
  readonly publicOrigin: string;
};

/** Accepts rejected deliveries that now verify. */
export function acceptJob(options: AcceptOptions): Job {
  const kind = "accept";
  let parts: EvaluationParts | undefined;
  return defineJob({
    kind,
    lock: lockRow<RejectedFilter>(options.db, kind),
    async workBatch(work) {
      const { acceptBatch } = await import("./accept-batch.ts");
      parts ??= await loadParts(options);
      return await acceptBatch(work, parts);
    },
  });
}

/** The provider catalog is loaded with the first such job: other workers don't need it. */
async function loadParts({
  sealer,
  client,
  publicOrigin,
}: AcceptOptions): Promise<EvaluationParts> {
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
