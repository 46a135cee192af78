import { timeZones } from "#lib/schema/account/account.ts";
import { listChannels, listRules } from "#lib/services/alerts/read-alerts.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** More than an account can have. */
const limit = "200";

/** The channels and rules of an account, oldest first. */
export async function readAlertSettings(context: ServiceContext) {
  const [channels, rules] = await Promise.all([
    listChannels(context, { limit }),
    listRules(context, { limit }),
  ]);
  return {
    channels: channels.items.toReversed(),
    rules: rules.items.toReversed(),
    sendsEmail: context.env.mail !== undefined,
    timeZones,
  };
}
