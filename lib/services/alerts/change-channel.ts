import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { isSameOrigin } from "#lib/core/sending/address/is-same-origin.ts";
import { openSecrets, sealSecrets } from "#lib/core/watch/alerts/open-channel.ts";
import {
  type ChannelRecord,
  changeChannel,
  getChannel,
  lockChannel,
  deleteChannel as removeChannel,
  type SealedChannel,
} from "#lib/db/alerts/channels.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { channelPatchSchema } from "#lib/schema/watch/alert.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { requireChannelUrl } from "./channel-rules.ts";

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
  input: z.strictObject({ id: recordId }),
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
