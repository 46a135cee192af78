import {
  getChannel as findChannel,
  listChannels as findChannels,
} from "#lib/db/alerts/channels.ts";
import { getRule as findRule, listRules as findRules } from "#lib/db/alerts/rules.ts";
import { byId } from "#lib/schema/field/common.ts";
import { alertPageSchema } from "#lib/schema/watch/alert.ts";
import { service } from "#lib/services/frame/service.ts";

export type { AlertRecord } from "#lib/db/alerts/alert-history.ts";
export type { ChannelRecord } from "#lib/db/alerts/channels.ts";
export type { RuleRecord } from "#lib/db/alerts/rules.ts";

/** Returns an alert channel of the account. Throws `not_found`. */
export const getChannel = service({
  permission: "alerts:read",
  input: byId,
  run: ({ db, actor }, { id }) => findChannel(db, actor.accountId, id),
});

/** The account's channels, newest first. */
export const listChannels = service({
  permission: "alerts:read",
  input: alertPageSchema,
  run: ({ db, actor }, page) => findChannels(db, actor.accountId, page),
});

/** Returns an alert rule of the account. Throws `not_found`. */
export const getRule = service({
  permission: "alerts:read",
  input: byId,
  run: ({ db, actor }, { id }) => findRule(db, actor.accountId, id),
});

/** The account's rules, newest first. */
export const listRules = service({
  permission: "alerts:read",
  input: alertPageSchema,
  run: ({ db, actor }, page) => findRules(db, actor.accountId, page),
});
