import type { Env } from "#lib/core/env/parse-env.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { Database } from "#lib/db/postgres/client.ts";

/** The dependencies of every use case, for any actor. */
export type ServiceParts = {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly env: Env;
};
