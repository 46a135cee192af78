import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { startFakeAsana } from "#lib/jobs/registrations/testing/fake-replaced.ts";
import { asana } from "#lib/jobs/registrations/testing/more-examples.ts";
import { setUpRegistration } from "#lib/jobs/registrations/testing/set-up.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const newClient = withClients();

test("Asana's handshake while its webhook is made is completed, and its secret comes from Asana alone", async () => {
  const { port } = bench.caught;
  const shake = (target: string, sent: string) =>
    fetch(target, { method: "POST", headers: { "x-hook-secret": sent } });
  const injected: string[] = [];
  await using fake = await startFakeAsana(async (target, sent) => {
    // Someone else who knows the URL, at the worst moment.
    injected.push((await shake(target, "a-secret-of-someone-else")).status.toString());
    return (await shake(target, sent)).headers.get("x-hook-secret") === sent;
  });
  const publicUrl = `http://127.0.0.1:${port}`;
  const set = await setUpRegistration(bench.db, newClient, fake, { ...asana, publicUrl });
  await set.register();
  expect(await set.look(0)).toMatchObject({ status: "registered", reason: null });
  const known = async () =>
    openSecrets(set.hook.accountId, await set.secrets(), testSealer).toSorted();
  const [first] = fake.webhooks;
  expect(await known()).toEqual([first?.secret]);
  expect(injected).toEqual(["200"]);

  // At any other time, the hook takes no secret.
  expect((await shake(set.url, "another-secret")).status).toBe(401);
  const events = [{ action: "added", resource: { gid: "1", resource_type: "task" } }];
  const body = JSON.stringify({ events });
  const signed = (key: string) => createHmac("sha256", key).update(body).digest("hex");
  const deliverSigned = (key: string) =>
    fetch(first?.url ?? "", {
      ...{ method: "POST", body },
      headers: { "content-type": "application/json", "x-hook-signature": signed(key) },
    });
  expect((await deliverSigned(first?.secret ?? "")).status).toBe(200);
  expect((await deliverSigned("a-secret-of-someone-else")).status).toBe(401);

  // A new URL needs another webhook, with another secret. The one before stays valid here.
  await rotateCatchUrl(set.context, { id: set.hook.id });
  expect(await set.look(0)).toMatchObject({ status: "registered", reason: null });
  expect(fake.webhooks).toHaveLength(1);
  const [second] = fake.webhooks;
  expect(await known()).toEqual([first?.secret, second?.secret].toSorted());
  expect((await deliverSigned(first?.secret ?? "")).status).toBe(200);
});
