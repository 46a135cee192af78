import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { openSecrets } from "#lib/core/watch/alerts/open-channel.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { configurationFormat, configurationSecretsSchema } from "#lib/schema/configuration.ts";
import { createChannel } from "#lib/services/alerts/alert-channels.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { importConfiguration, readConfiguration } from "./import-configuration.ts";

const { db } = withDatabase();

test("a channel that is there already gets the signing secret of the file, once", async () => {
  const accountId = newId();
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
  const context = testContext(db, accountId);
  const url = "https://ops.example.com/alerts";
  const { channel } = await createChannel(context, { name: "Ours", kind: "url", url });
  const file = readConfiguration({
    format: configurationFormat,
    alertChannels: [{ name: "Ours", kind: "url" }],
  });
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const none = { credentials: {}, hooks: {}, actions: {}, subscriptions: {} };
  const secrets = configurationSecretsSchema.parse({
    ...none,
    alertChannels: { Ours: { url, secret } },
  });
  const apply = async () => {
    const options = { secrets, keepsCatchUrls: false, isApplied: true };
    const result = await importConfiguration(context, file, options);
    return result.ok ? result.report.changed : result.errors;
  };
  expect(await apply()).toEqual(['alert channel "Ours": secret']);
  const { ciphertext } = await db.alertChannel.findUniqueOrThrow({ where: { id: channel.id } });
  const row = { id: channel.id, accountId, ciphertext: ciphertext ?? new Uint8Array() };
  expect(openSecrets(context.sealer, row)).toEqual({ url, secret });
  const event = "alert_channel.secrets_replaced";
  expect(await db.auditEntry.count({ where: { accountId, event } })).toBe(1);
  expect(await apply()).toEqual([]);
});

test("the key of PagerDuty moves to another server if the file has both", async () => {
  const accountId = newId();
  await db.account.create({ data: { id: accountId, slug: "paged", name: "Paged" } });
  const context = testContext(db, accountId);
  const routingKey = "0123456789abcdef0123456789abcdef";
  const { channel } = await createChannel(context, { name: "Page", kind: "pagerduty", routingKey });
  const url = "https://events.eu.pagerduty.com/v2/enqueue";
  const file = readConfiguration({
    format: configurationFormat,
    alertChannels: [{ name: "Page", kind: "pagerduty" }],
  });
  const none = { credentials: {}, hooks: {}, actions: {}, subscriptions: {} };
  const secrets = configurationSecretsSchema.parse({
    ...none,
    alertChannels: { Page: { url, routingKey } },
  });
  const options = { secrets, keepsCatchUrls: false, isApplied: true };
  expect(await importConfiguration(context, file, options)).toMatchObject({
    ok: true,
    report: { changed: ['alert channel "Page": url'] },
  });
  const { ciphertext } = await db.alertChannel.findUniqueOrThrow({ where: { id: channel.id } });
  const row = { id: channel.id, accountId, ciphertext: ciphertext ?? new Uint8Array() };
  expect(openSecrets(context.sealer, row)).toEqual({ url, routingKey });
});
