import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { SigningKeys } from "#lib/core/verify/scheme/signing-key.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { hasAcceptJob } from "#lib/db/runs/work-bulk-jobs.ts";
import type { HttpClient } from "#lib/net/http-client.ts";

type Parts = {
  readonly sealer: Sealer;
  /** Fetches the keys of providers that publish them. */
  readonly client: HttpClient;
  readonly publicOrigin: string;
};

let signingKeys: SigningKeys | undefined;

/**
 * Works on a job that accepts rejected deliveries. Loads the provider catalog with the first such
 * job: other workers don't need it.
 *
 * @returns whether there was a job
 */
export async function acceptRejected(
  db: SqlDatabase,
  { sealer, client, publicOrigin }: Parts,
): Promise<boolean> {
  if (!(await hasAcceptJob(db))) return false;
  const [{ workAcceptJobs }, { createSigningKeys }] = await Promise.all([
    import("#lib/catch/stored/work-accept-jobs.ts"),
    import("#lib/net/signing-keys.ts"),
  ]);
  signingKeys ??= createSigningKeys({ client, now: Date.now });
  return await workAcceptJobs(db, { sealer, signingKeys, publicOrigin });
}
