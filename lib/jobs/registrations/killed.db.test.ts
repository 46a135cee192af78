import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { gitlab, stripe } from "./testing/examples.ts";
import { startFakeGitlab, startFakeStripe } from "./testing/fake-registrars.ts";
import { startFakeAsana } from "./testing/fake-replaced.ts";
import { asana } from "./testing/more-examples.ts";
import { setUpRegistration, withoutMark } from "./testing/set-up.ts";

const { db, url } = withDatabase();
const newClient = withClients();

/** Looks once, in a process of its own. */
const source = `
  import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
  import { createDatabase } from "#lib/db/postgres/client.ts";
  import { testSealer } from "#lib/db/testing/test-sealer.ts";
  import { keepRegistrationsJob } from "#lib/jobs/registrations/keep-registrations.ts";
  import { createHttpClient } from "#lib/net/http-client.ts";
  const db = createDatabase({ url: process.argv[1], poolSize: 2, applicationName: "killed" });
  const client = createHttpClient({ allow: parseCidrList("127.0.0.0/8").cidrs });
  const publicUrl = "http://10.1.2.3";
  const job = keepRegistrationsJob({ db, sealer: testSealer, client, ownClient: client, publicUrl });
  await job.work(new AbortController().signal);
  process.exit(0);
`;

function lookElsewhere(): ChildProcess {
  const args = ["--input-type=module", "--eval", source, "--", url];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

it.each([
  { ...stripe, start: () => startFakeStripe() },
  { ...gitlab, start: startFakeGitlab },
  { ...asana, start: () => startFakeAsana() },
])(
  "$provider: a worker that is killed before it has the response leaves one webhook",
  {
    tags: "variant",
    timeout: 300_000,
  },
  async (given) => {
    await using fake = await given.start();
    const set = await setUpRegistration(db, newClient, fake, given);
    await set.register();
    const child = lookElsewhere();
    const exited = once(child, "exit");
    fake.isCut = ({ method }) => method === "POST" && child.kill("SIGKILL");
    const [, signal] = await exited;
    expect(signal).toBe("SIGKILL");
    fake.isCut = () => false;
    expect(fake.webhooks).toHaveLength(1);
    expect(await set.read()).toMatchObject({ status: "connecting", providerId: null });

    // No one looks as long as its lease lasts.
    await once(lookElsewhere(), "exit");
    expect(await set.read()).toMatchObject({ status: "connecting", providerId: null });
    await db.$executeRaw`update registrations set leased_until = now()`;
    await once(lookElsewhere(), "exit");
    const [webhook, ...others] = fake.webhooks;
    expect(others).toEqual([]);
    expect(webhook?.eventTypes).toEqual(given.eventTypes);
    expect(withoutMark(webhook?.url ?? "")).toBe(set.url);
    expect(await set.read()).toMatchObject({ status: "registered", providerId: webhook?.id });
    const known = openSecrets(set.hook.accountId, await set.secrets(), testSealer);
    expect(known).toContain(webhook?.secret);
  },
);
