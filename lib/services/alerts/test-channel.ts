import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import { writeTest } from "#lib/core/watch/alerts/alert-message.ts";
import { openChannel } from "#lib/core/watch/alerts/open-channel.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import { getChannel } from "#lib/db/alerts/channels.ts";
import { sendAlert } from "#lib/net/alerts/send-alert.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { testClient } from "#lib/services/actions/test-client.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import packageJson from "../../../package.json" with { type: "json" };

type ChannelTest = { readonly ok: boolean; readonly message: string };

/** Keeps tests from flooding an inbox. */
const perAccount = new RateLimiter({ burst: 10, ratePerSecond: 10 / 60, now: () => Date.now() });

/** Sends a test message at once and says how it went. Throws `not_found`, `rate_limited`. */
export const testChannel = service({
  permission: "alerts:write",
  input: z.strictObject({ id: recordId }),
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
