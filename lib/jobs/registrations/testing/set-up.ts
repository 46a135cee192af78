import type { Database } from "#lib/db/postgres/client.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import type { withClients } from "#lib/net/testing/with-clients.ts";
import type { CredentialInput } from "#lib/schema/act/credential.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { getRegistration, registerHook } from "#lib/services/registrations.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { workOnce } from "../../testing/work.ts";
import { keepRegistrationsJob } from "../keep-registrations.ts";
import type { FakeProvider } from "./fake-webhooks.ts";

const cidrs = "127.0.0.0/8";

type Given = {
  readonly provider: string;
  readonly eventTypes: readonly string[];
  readonly auth: CredentialInput["auth"];
  readonly resource?: string;
  readonly signingSecret?: string;
  readonly recreate?: "ask" | "always";
  /** Our own URL. Default: one that this machine may not call. */
  readonly publicUrl?: string;
};

/** A hook, a credential for a fake provider, and a worker whose clock the test moves. */
export async function setUpRegistration(
  db: Database,
  newClient: ReturnType<typeof withClients>,
  fake: FakeProvider,
  given: Given,
) {
  const { provider, eventTypes, auth, resource, signingSecret, recreate } = given;
  const { publicUrl = "http://10.1.2.3" } = given;
  const hook = await addHook(db, {
    provider,
    ...(signingSecret === undefined ? {} : { signingSecret }),
  });
  const variables = { CATCHMENT_EGRESS_ALLOW: cidrs, CATCHMENT_PUBLIC_URL: publicUrl };
  const context = testContext(db, hook.accountId, { variables });
  const saved = { name: "key", origin: fake.origin, auth };
  const { id: credentialId } = await createCredential(context, saved);
  const clock = { ms: Date.now() };
  const job = keepRegistrationsJob({
    ...{ db, sealer: testSealer, client: newClient(cidrs).client, publicUrl },
    ...{ ownClient: newClient(cidrs).client, now: () => clock.ms },
  });
  const asked = {
    ...{ id: hook.id, credentialId, eventTypes: [...eventTypes] },
    ...(resource === undefined ? {} : { resource }),
    ...(recreate === undefined ? {} : { recreate }),
  };
  const read = () => getRegistration(context, { id: hook.id });
  return {
    ...{ hook, context, job, clock, read, url: `${publicUrl}${hook.path}` },
    register: (more: Partial<typeof asked> = {}) => registerHook(context, { ...asked, ...more }),
    /** Looks once, so many minutes later. */
    async look(minutes = 5) {
      clock.ms += minutes * 60_000;
      await workOnce(job);
      return await read().catch(() => null);
    },
    secrets: () => db.hookSecret.findMany({ where: { hookId: hook.id }, orderBy: { id: "desc" } }),
    problems: () => db.problem.findMany({ where: { hookId: hook.id }, orderBy: { id: "asc" } }),
  };
}

/** The URL of a webhook as the hook has it. Some have our mark in the query. */
export function withoutMark(url: string): string | undefined {
  return url.split("?")[0];
}
