import {
  listDifferences,
  type Named,
  nameItems,
  nameSubscription,
} from "#lib/core/configuration/item-names.ts";
import { openHeaders } from "#lib/core/sending/sealed-headers.ts";
import { readSenderSettings, saveSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import { saveSenderSettings as changeSenderSettings } from "#lib/services/account/sender-settings.ts";
import { type EventTypeRecord, putEventType } from "#lib/services/event-types.ts";
import { putRecipient } from "#lib/services/recipients.ts";
import { rotateSubscriptionSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import {
  disableSubscription,
  enableSubscription,
} from "#lib/services/subscriptions/subscription-status.ts";
import {
  createSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { showSubscription } from "./export-configuration.ts";
import { type ImportRun, reportKept } from "./import-run.ts";
import { importVersions } from "./import-versions.ts";

export async function importEventTypes(run: ImportRun): Promise<void> {
  const { file, before } = run;
  if (file.eventTypes === undefined) return;
  const given = nameItems(file.eventTypes, ({ name }) => name);
  for (const [index, { ref, ...type }] of given.entries()) {
    const known = before.eventTypes.find((each) => each.ref === ref);
    await run.item(`eventTypes.${index}`, async () => {
      const names = await importEventType(run, type, known, `eventTypes.${index}`);
      if (known === undefined) run.added(`event type "${ref}"`);
      else run.changed(`event type "${ref}"`, names);
    });
  }
  reportKept(run, "event type", before.eventTypes, given);
}

/** @returns the names of the fields that changed */
async function importEventType(
  run: ImportRun,
  { versions, ...type }: NonNullable<Configuration["eventTypes"]>[number],
  known: EventTypeRecord | undefined,
  path: string,
): Promise<readonly string[]> {
  if (versions !== undefined) return await importVersions(run, { ...type, versions }, known, path);
  const names = known === undefined ? [] : listDifferences(known, type);
  if (known === undefined || names.length > 0) await putEventType(run.context, type);
  return names;
}

export async function importRecipients(run: ImportRun): Promise<void> {
  const { context, file, before } = run;
  if (file.recipients === undefined) return;
  const given = nameItems(file.recipients, ({ id }) => id);
  const stored = new Map(before.recipients.map((recipient) => [recipient.ref, recipient]));
  for (const [index, { ref, ...recipient }] of given.entries()) {
    const known = stored.get(ref);
    await run.item(`recipients.${index}`, async () => {
      const names = known === undefined ? [] : listDifferences(known, recipient);
      if (known === undefined || names.length > 0) await putRecipient(context, recipient);
      if (known === undefined) run.added(`recipient "${ref}"`);
      else run.changed(`recipient "${ref}"`, names);
    });
  }
  reportKept(run, "recipient", before.recipients, given);
}

type GivenSubscription = Named<
  Omit<NonNullable<Configuration["subscriptions"]>[number], "was" | "number">
>;

/**
 * Imports subscriptions without challenging their URLs: anyone who can run this command vouches for
 * them, and nothing is called while the transaction is open.
 */
export async function importSubscriptions(run: ImportRun): Promise<void> {
  const { context, file, before } = run;
  if (file.subscriptions === undefined) return;
  const { db, actor } = context;
  const settings = await readSenderSettings(db, actor.accountId);
  await saveSenderSettings(db, actor.accountId, { ...settings, challengeNewUrls: false });
  const given = nameItems(file.subscriptions, nameSubscription);
  const stored = new Map(before.subscriptions.map((each) => [each.ref, each]));
  for (const [index, { was, number: _, ...subscription }] of given.entries()) {
    const known = stored.get(subscription.ref) ?? stored.get(was ?? "");
    await run.item(`subscriptions.${index}`, async () => {
      if (known === undefined) await addSubscription(run, subscription);
      else await adaptSubscription(run, subscription, known);
    });
  }
  await saveSenderSettings(db, actor.accountId, settings);
  reportKept(run, "subscription", before.subscriptions, given);
}

async function addSubscription(run: ImportRun, subscription: GivenSubscription): Promise<void> {
  const { context } = run;
  const { ref, enabled, headers, secret: inFile, credential, ...fields } = subscription;
  const { headers: stored = {}, secret: sealed } = run.secrets?.subscriptions[ref] ?? {};
  const secret = inFile ?? sealed;
  const values = chooseHeaders(headers, stored);
  const made = await createSubscription(context, {
    ...fields,
    credentialId: findCredential(run, credential),
    headers: values,
    ...(secret === undefined ? {} : { secret }),
  });
  if (!enabled) await disableSubscription(context, { id: made.subscription.id });
  const what = `subscription "${ref}"`;
  run.added(what);
  if (secret === undefined) run.toDo(`${what} has a new signing secret: give it to its receiver.`);
  if (fields.keyPair) run.toDo(`${what} has a new key pair: give its public key to its receiver.`);
  warnAboutHeaders(run, what, headers, values);
}

async function adaptSubscription(
  run: ImportRun,
  { ref, headers, enabled, secret, credential, ...fields }: GivenSubscription,
  known: Named<SubscriptionRecord>,
): Promise<void> {
  const { context } = run;
  const { id } = known;
  const shown = { ...showSubscription(known), credentialId: known.credentialId };
  const credentialId = findCredential(run, credential);
  const wanted = { ...fields, retry: fields.retry ?? shown.retry, credentialId };
  const names = listDifferences(shown, wanted);
  const patch = Object.fromEntries(Object.entries(wanted).filter(([name]) => names.includes(name)));
  const { headers: given = {} } = run.secrets?.subscriptions[ref] ?? {};
  const stored = openHeaders(context.sealer, known);
  const values = chooseHeaders(headers, { ...stored, ...given });
  const areOther = JSON.stringify(values) !== JSON.stringify(stored);
  const removed = Object.keys(stored).filter((name) => !Object.hasOwn(values, name));
  const changes = { ...values, ...Object.fromEntries(removed.map((name) => [name, null])) };
  if (names.length > 0 || areOther)
    await updateSubscription(context, { id, ...patch, ...(areOther ? { headers: changes } : {}) });
  if (areOther) names.push("headers");
  if (enabled !== shown.enabled) {
    await (enabled ? enableSubscription : disableSubscription)(context, { id });
    names.push("enabled");
  }
  const wantedSecret = secret ?? run.secrets?.subscriptions[ref]?.secret;
  if (await replaceSecret(run, known, wantedSecret)) names.push("secret");
  const inFile = names.map((name) => (name === "credentialId" ? "credential" : name));
  run.changed(`subscription "${ref}"`, inFile);
  warnAboutHeaders(run, `subscription "${ref}"`, headers, values);
}

/** The id of the credential that a subscription names. */
function findCredential(run: ImportRun, name: string | null): string | null {
  return name === null ? null : run.idOf("credential", name, "credential");
}

/** The former secret also signs for a day. */
async function replaceSecret(
  { context, stored }: ImportRun,
  { id, ref }: Named<SubscriptionRecord>,
  secret: string | undefined,
): Promise<boolean> {
  if (secret === undefined || stored.subscriptions[ref]?.secret === secret) return false;
  await rotateSubscriptionSecret(context, { id, secret });
  return true;
}

type Headers = Readonly<Record<string, string | null>>;

/** The values in the file come first, then those that are known. */
function chooseHeaders(
  headers: Headers,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const chosen = value ?? known[name];
      return chosen === undefined ? [] : [[name, chosen]];
    }),
  );
}

function warnAboutHeaders(run: ImportRun, what: string, headers: Headers, values: object): void {
  const missing = Object.keys(headers).filter((name) => !Object.hasOwn(values, name));
  if (missing.length > 0) run.toDo(`${what}: enter its headers ${missing.join(", ")}.`);
}

export async function importSending(run: ImportRun): Promise<void> {
  const { context, file, before } = run;
  const { sending } = file;
  if (sending === undefined) return;
  await run.item("sending", async () => {
    const names = listDifferences(before.sending, sending);
    if (names.length > 0) await changeSenderSettings(context, sending);
    run.changed("settings for sending", names);
  });
}
