import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { sealSecrets } from "#lib/core/watch/alerts/open-channel.ts";
import {
  type ChannelRecord,
  countChannels,
  getChannel,
  insertChannel,
} from "#lib/db/alerts/channels.ts";
import { countRules, insertRules } from "#lib/db/alerts/rules.ts";
import {
  type ChannelInput,
  type ChannelSecrets,
  channelInputSchema,
  ruleInputSchema,
} from "#lib/schema/watch/alert.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { generateSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import { requireChannelUrl, requireMail } from "./channel-rules.ts";

const maxChannels = 20;

/** `secret` signs calls to a URL, and is shown once. Null: the channel has none. */
export type NewChannel = { readonly channel: ChannelRecord; readonly secret: string | null };

/** Adds an alert channel. The first one gets a rule for each kind of problem. */
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
      if (count === 0 && (await countRules(tx, accountId)) === 0)
        await insertRules(tx, accountId, usualRules(id));
      const targets = [{ type: "alert_channel", id, name }];
      await audit(context, { event: "alert_channel.created", targets }, tx);
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

/** A single failed attempt is retried and mostly succeeds, so failures have to repeat. */
function usualRules(channelId: string) {
  const usual = [
    { kind: "action_failing", threshold: 3, withinSeconds: 600 },
    { kind: "subscription_failing", threshold: 10, withinSeconds: 3_600 },
    { kind: "audit_failing", threshold: 3, withinSeconds: 600 },
    { kind: "rejected", threshold: 10, withinSeconds: 600 },
    { kind: "silence", threshold: 1, withinSeconds: 600 },
    { kind: "shape", threshold: 1, withinSeconds: 600 },
    { kind: "disk", threshold: 1, withinSeconds: 600 },
    { kind: "spool", threshold: 1, withinSeconds: 600 },
    { kind: "archive", threshold: 1, withinSeconds: 600 },
    { kind: "clock", threshold: 1, withinSeconds: 600 },
    { kind: "database", threshold: 1, withinSeconds: 600 },
  ] as const;
  return usual.map((rule) => ({
    id: newId(),
    ...ruleInputSchema.parse({ ...rule, channelIds: [channelId] }),
  }));
}
