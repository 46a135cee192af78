import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { hasAcceptJob } from "#lib/db/runs/work-bulk-jobs.ts";
import type { CheckThreads } from "#lib/event-schemas/check-threads.ts";
import type { HttpClient } from "#lib/net/http-client.ts";

type Parts = {
  readonly sealer: Sealer;
  /** Fetches the keys of providers that publish them. */
  readonly client: HttpClient;
  readonly publicOrigin: string;
};

/**
 * Works on jobs that accept rejected deliveries. Loads the provider catalog with the first such
 * job: other workers don't need it.
 */
export class AcceptJobs {
  readonly #db: SqlDatabase;
  readonly #parts: Parts;
  #signingKeys: SigningKeys | undefined;
  #checkThreads: CheckThreads | undefined;

  constructor(db: SqlDatabase, parts: Parts) {
    this.#db = db;
    this.#parts = parts;
  }

  /** @returns whether there was a job */
  async work(): Promise<boolean> {
    if (!(await hasAcceptJob(this.#db))) return false;
    const [{ workAcceptJobs }, { createSigningKeys }, { EventCatalog }, { CheckThreads }] =
      await Promise.all([
        import("#lib/jobs/work-accept-jobs.ts"),
        import("#lib/net/signing-keys.ts"),
        import("#lib/event-schemas/event-catalog.ts"),
        import("#lib/event-schemas/check-threads.ts"),
      ]);
    const { sealer, client, publicOrigin } = this.#parts;
    this.#signingKeys ??= createSigningKeys({ client, now: Date.now });
    this.#checkThreads ??= new CheckThreads();
    const { run: runChecks } = this.#checkThreads;
    return await workAcceptJobs(this.#db, {
      sealer,
      signingKeys: this.#signingKeys,
      publicOrigin,
      createEventCheck: (db) => new EventCatalog({ db, runChecks, now: Date.now }).check,
    });
  }
}
