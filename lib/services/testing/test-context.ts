import { parseEnv } from "#lib/core/env/parse-env.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import type { Actor } from "#lib/services/frame/actor.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** A context for tests that call services. The actor is Catchment itself, unless given. */
export function testContext(
  db: Database,
  accountId: string,
  {
    sealer = testSealer,
    actor = { type: "system", accountId },
    variables = {},
  }: { sealer?: Sealer; actor?: Actor; variables?: Readonly<Record<string, string>> } = {},
): ServiceContext {
  const read = parseEnv({ CATCHMENT_PUBLIC_URL: "https://hooks.example.test", ...variables });
  if (!read.ok) throw new Error("The environment of tests is not valid");
  return { db, sealer, env: read.env, actor, now: () => new Date() };
}
