import { invalidField } from "#lib/base/errors.ts";
import {
  findKnown,
  type Json,
  listDifferences,
  type Named,
  nameItems,
} from "#lib/core/configuration/item-names.ts";
import { sealSecrets } from "#lib/core/watch/alerts/open-channel.ts";
import { changeChannel } from "#lib/db/alerts/channels.ts";
import { countRules, deleteRule, listRules } from "#lib/db/alerts/rules.ts";
import type { ChannelSecrets } from "#lib/schema/watch/alert.ts";
import { createChannel, updateChannel } from "#lib/services/alerts/alert-channels.ts";
import { createRule, updateRule } from "#lib/services/alerts/alert-rules.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ImportRun, reportKept } from "./import-run.ts";

export async function importChannels(run: ImportRun): Promise<void> {
  const { file, before, context } = run;
  if (file.alertChannels === undefined) return;
  const { accountId } = context.actor;
  const hadRules = before.alertRules.length > 0;
  const given = nameItems(file.alertChannels, ({ name }) => name);
  for (const [index, { was, number: _, ...channel }] of given.entries()) {
    const known = findKnown(before.alertChannels, { ref: channel.ref, was });
    const isDone = await run.item(`alertChannels.${index}`, async () => {
      if (known === undefined) return await addChannel(run, channel);
      if (known.kind !== channel.kind)
        throw invalidField("kind", `is ${known.kind} in the account, and never changes`);
      await adaptChannel(run, channel, known);
    });
    if (!isDone) run.setId("alert channel", channel.ref, null);
  }
  reportKept(run, "alert channel", before.alertChannels, given);
  // The first channel of an account gets the usual rules, but the file has its own.
  if (hadRules || file.alertRules === undefined) return;
  if ((await context.db.$transaction((tx) => countRules(tx, accountId))) === 0) return;
  const usual = await listRules(context.db, accountId, { limit: 100 });
  for (const { id } of usual.items) await context.db.$transaction((tx) => deleteRule(tx, id));
}

type GivenChannel = Named<{ readonly name: string; readonly kind: string } & Json>;

async function addChannel(run: ImportRun, { ref, ...channel }: GivenChannel): Promise<void> {
  const { context } = run;
  const { secret, ...secrets } = run.secrets?.alertChannels[ref] ?? {};
  const input = { ...secrets, ...channel };
  if (channel.kind !== "email" && !Object.hasOwn(input, "url") && channel.kind !== "pagerduty")
    throw invalidField(
      "url",
      "isn't in the file, and the account has no channel of this name yet: add the channel there " +
        "first, add its URL to the file, or export with --secrets-passphrase-file",
      "required",
    );
  const { channel: made } = await createChannel(
    context,
    input as Parameters<typeof createChannel>[1],
  );
  run.setId("alert channel", ref, made.id);
  run.added(`alert channel "${ref}"`);
  if (channel.kind !== "url") return;
  if (secret === undefined) {
    run.toDo(`alert channel "${ref}" has a new signing secret: replace the channel to see it.`);
    return;
  }
  await keepSecret(run, made.id, { url: String(input.url), secret });
}

/** The secret that signs calls to a URL stays what the receiver knows. */
async function keepSecret(
  { context }: ImportRun,
  id: string,
  secrets: { readonly url: string; readonly secret: string },
): Promise<void> {
  const row = { id, accountId: context.actor.accountId };
  const ciphertext = sealSecrets(context.sealer, row, secrets);
  await context.db.$transaction((tx) => changeChannel(tx, id, { ciphertext }));
}

/** Only what is given is compared: a URL is a secret. */
async function adaptChannel(
  run: ImportRun,
  { ref, kind, ...channel }: GivenChannel,
  known: Named<{ readonly id: string; readonly name: string; readonly target: string }>,
): Promise<void> {
  const { id, name, target } = known;
  run.rename("alert channel", known, ref);
  const { secret, ...given } = run.secrets?.alertChannels[ref] ?? {};
  const { secret: former, ...stored }: Partial<ChannelSecrets> =
    run.stored.alertChannels[known.ref] ?? {};
  const wanted = { ...given, ...channel };
  const names = listDifferences({ name, to: target, ...stored }, wanted);
  const patch = Object.fromEntries(
    Object.entries(wanted).filter(
      // Another server gets the key only if it is given with the URL.
      ([field]) => names.includes(field) || (field === "routingKey" && names.includes("url")),
    ),
  );
  if (names.length > 0)
    await updateChannel(run.context, { id, ...patch } as Parameters<typeof updateChannel>[1]);
  if (kind === "url" && secret !== undefined && secret !== former) {
    await keepSecret(run, id, { url: String(wanted.url ?? stored.url), secret });
    const event = "alert_channel.secrets_replaced";
    const targets = [{ type: "alert_channel", id, name }];
    await run.context.db.$transaction((tx) => audit(run.context, { event, targets }, tx));
    names.push("secret");
  }
  run.changed(`alert channel "${ref}"`, names);
}

export async function importRules(run: ImportRun): Promise<void> {
  const { context, file, before } = run;
  if (file.alertRules === undefined) return;
  const given = nameItems(file.alertRules, ({ kind }) => kind);
  for (const [index, { ref, number: _, channels, ...fields }] of given.entries()) {
    const known = before.alertRules.find((each) => each.ref === ref);
    await run.item(`alertRules.${index}`, async () => {
      const channelIds = channels.map((name, at) =>
        run.idOf("alert channel", name, `channels.${at}`),
      );
      const { kind, ...input } = { ...fields, channelIds };
      if (known === undefined) {
        await createRule(context, { kind, ...input });
        return run.added(`alert rule "${ref}"`);
      }
      const names = listDifferences(known, input);
      if (names.length > 0) await updateRule(context, { id: known.id, ...input });
      run.changed(`alert rule "${ref}"`, names);
    });
  }
  reportKept(run, "alert rule", before.alertRules, given);
}
