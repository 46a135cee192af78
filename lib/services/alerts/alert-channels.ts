import type { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import { checkUrl, toFieldCode } from "#lib/core/sending/address/check-url.ts";
import { isSameOrigin } from "#lib/core/sending/address/is-same-origin.ts";
import { writeTest } from "#lib/core/watch/alerts/alert-message.ts";
import { openChannel, openSecrets, sealSecrets } from "#lib/core/watch/alerts/open-channel.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import {
  type ChannelRecord,
  changeChannel,
  countChannels,
  getChannel,
  insertChannel,
  lockChannel,
  deleteChannel as removeChannel,
  type SealedChannel,
} from "#lib/db/alerts/channels.ts";
import { countRules } from "#lib/db/alerts/rules.ts";
import { sendAlert } from "#lib/net/alerts/send-alert.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import {
  type ChannelInput,
  type ChannelSecrets,
  channelInputSchema,
  channelPatchSchema,
} from "#lib/schema/watch/alert.ts";
import { problemKinds } from "#lib/schema/watch/problem.ts";
import { testClient } from "#lib/services/actions/test-client.ts";
import { audit, auditWithoutChange } from "#lib/services/frame/audit.ts";
import { requireOtherServer } from "#lib/services/frame/require-other-server.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { generateSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { notifyChannel } from "./alert-rules.ts";

const maxChannels = 20;

/** `secret` signs calls to a URL, and is shown once. Null: the channel has none. */
export type NewChannel = { readonly channel: ChannelRecord; readonly secret: string | null };

/** Adds an alert channel, and tells it about the kinds of problems that are asked for. */
export const createChannel = service({
  permission: "alerts:write",
  input: channelInputSchema,
  run: async (context, input): Promise<NewChannel> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    if (input.kind === "email") requireMail(context);
    const target = input.kind === "email" ? input.to : requireChannelUrl(input.url, context);
    const id = newId();
    const secrets = toSecrets(input);
    const ciphertext = secrets === null ? null : sealSecrets(sealer, { id, accountId }, secrets);
    const channel = await db.$transaction(async (tx) => {
      const count = await countChannels(tx, accountId);
      if (count >= maxChannels)
        throw new AppError("conflict", `An account has at most ${maxChannels} alert channels.`);
      const { name, kind } = input;
      await insertChannel(tx, { id, accountId, name, kind, target, ciphertext });
      const targets = [{ type: "alert_channel", id, name }];
      await audit(context, { event: "alert_channel.created", targets }, tx);
      const isFirst = count === 0 && (await countRules(tx, accountId)) === 0;
      await notifyChannel(context, tx, id, input.problems ?? (isFirst ? problemKinds : []));
      return await getChannel(tx, accountId, id);
    });
    return { channel, secret: secrets?.secret ?? null };
  },
});

function toSecrets(input: ChannelInput): ChannelSecrets | null {
  switch (input.kind) {
    case "email":
      return null;
    case "pagerduty":
      return { url: input.url, routingKey: input.routingKey };
    case "url":
      return { url: input.url, secret: generateSecret() };
    default:
      return { url: input.url };
  }
}

type Patch = z.output<typeof channelPatchSchema>;

/** Changes the given fields. The kind never changes. Throws `not_found`. */
export const updateChannel = service({
  permission: "alerts:write",
  input: channelPatchSchema.extend({ id: recordId }),
  run: async (context, { id, ...patch }): Promise<ChannelRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      const before = await lockChannel(tx, actor.accountId, id);
      requireFitting(before, patch);
      const columns = {
        ...(patch.name !== undefined && { name: patch.name }),
        ...(patch.to !== undefined && { target: patch.to }),
        ...(patch.url !== undefined && { target: requireChannelUrl(patch.url, context) }),
        ...replaceSecrets(context, before, patch),
      };
      await changeChannel(tx, before.id, columns);
      const after = await getChannel(tx, actor.accountId, id);
      const targets = [{ type: "alert_channel", id, name: after.name }];
      const change = { before: toShown(before), after: toShown(after) };
      const event = "ciphertext" in columns ? "secrets_replaced" : "updated";
      await audit(context, { event: `alert_channel.${event}`, targets, ...change }, tx);
      return after;
    });
  },
});

/** Deletes a channel. Its messages that weren't sent yet are lost. Throws `not_found`. */
export const deleteChannel = service({
  permission: "alerts:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    const { name } = await getChannel(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      await removeChannel(tx, actor.accountId, id);
      const targets = [{ type: "alert_channel", id, name }];
      await audit(context, { event: "alert_channel.deleted", targets }, tx);
    });
  },
});

function requireFitting({ kind }: SealedChannel, { to, url, routingKey }: Patch): void {
  const misfit = "doesn't belong to a channel of this kind";
  if (to !== undefined && kind !== "email") throw invalidField("to", misfit);
  if (url !== undefined && kind === "email") throw invalidField("url", misfit);
  if (routingKey !== undefined && kind !== "pagerduty") throw invalidField("routingKey", misfit);
}

function replaceSecrets(
  { sealer, actor }: ServiceContext,
  { id, ciphertext }: SealedChannel,
  { url, routingKey }: Patch,
) {
  if (ciphertext === null || (url === undefined && routingKey === undefined)) return {};
  const row = { id, accountId: actor.accountId };
  const before = openSecrets(sealer, { ...row, ciphertext });
  if (before === null)
    throw invalidField(
      "url",
      "can't be changed, because the secret key has changed. Add a new channel",
    );
  const isKept = before.routingKey !== undefined && routingKey === undefined;
  if (isKept && url !== undefined && !isSameOrigin(before.url, url))
    throw invalidField(
      "routingKey",
      "has to be entered again, because the URL is that of another server",
      "required",
    );
  const after = {
    ...before,
    ...(url !== undefined && { url }),
    ...(routingKey !== undefined && { routingKey }),
  };
  return { ciphertext: sealSecrets(sealer, row, after) };
}

function toShown({ name, target }: ChannelRecord) {
  return { name, target };
}

type ChannelTest = { readonly ok: boolean; readonly message: string };

/** Keeps tests from flooding an inbox. */
const perAccount = new RateLimiter({ burst: 10, ratePerSecond: 10 / 60, now: () => Date.now() });

/** Sends a test message at once and says how it went. Throws `not_found`, `rate_limited`. */
export const testChannel = service({
  permission: "alerts:write",
  input: byId,
  run: async (context, { id }): Promise<ChannelTest> => {
    const { db, sealer, env, actor } = context;
    const { accountId } = actor;
    const channel = await getChannel(db, accountId, id);
    const waitSeconds = perAccount.take(accountId);
    if (waitSeconds > 0)
      throw new AppError("rate_limited", "Too many tests. Try again in a minute.", {
        headers: { "retry-after": String(Math.ceil(waitSeconds)) },
      });
    const opened = openChannel(sealer, { ...channel, accountId });
    if (opened === null)
      return { ok: false, message: "The secret key has changed. Enter the URL again." };
    const { publicUrl, mail } = env;
    const { name: account } = await getAccount(db, accountId);
    const about = { id: `alert_${newId()}`, account, publicUrl };
    const parts = { client: testClient(env), mail, publicUrl, version: packageJson.version };
    const { ok, message } = await sendAlert(opened, writeTest(about), parts);
    const targets = [{ type: "alert_channel", id, name: channel.name }];
    await auditWithoutChange(context, { event: "alert_channel.tested", targets });
    return { ok, message };
  },
});

/** Throws `invalid_request` for a URL that may not be called. Returns its host, which may be shown. */
function requireChannelUrl(text: string, parts: Pick<ServiceParts, "env">): string {
  const checked = checkUrl(text, parts.env.egressAllow);
  if (!checked.ok) throw invalidField("url", checked.message, toFieldCode(checked.code));
  const instead = "Enter the URL of another system.";
  requireOtherServer(checked.url, parts, { path: "url", instead });
  return checked.url.host;
}

/** Throws `conflict` if this server sends no email. */
function requireMail({ env }: Pick<ServiceParts, "env">): void {
  if (env.mail !== undefined) return;
  throw new AppError(
    "conflict",
    "This server sends no email. Its operator can set SMTP_URL and CATCHMENT_MAIL_FROM.",
  );
}
