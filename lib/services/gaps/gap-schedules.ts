import { invalidField } from "#lib/base/errors.ts";
import type { EventList } from "#lib/core/providers/event-lists/event-list.ts";
import { getCredential } from "#lib/db/credentials/credentials.ts";
import {
  findSchedule,
  type GapScheduleRecord,
  putSchedule,
  removeSchedule,
} from "#lib/db/gaps/gap-schedules.ts";
import { findLastCredential } from "#lib/db/gaps/gaps.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { gapScheduleSchema } from "#lib/schema/receive/gap.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { chooseWebhook, requireFitting, requireList } from "./gap-source.ts";

/** How often a hook's provider is asked for what never arrived. */
export type ShownSchedule = Omit<GapScheduleRecord, "every" | "hookId" | "nextAt" | "savedBy"> & {
  readonly every: "off" | "hour" | "day";
  readonly nextAt: Date | null;
  readonly savedBy: string | null;
};

export const getGapSchedule = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<ShownSchedule> => {
    const hook = await getHook(db, actor.accountId, id);
    return show(await findSchedule(db, actor.accountId, hook.id));
  },
});

/**
 * Asks the provider by itself from now on, or no more. Throws `conflict` if the hook's events can't
 * be compared.
 */
export const putGapSchedule = service({
  permission: "hooks:write",
  input: gapScheduleSchema.extend({ id: recordId }),
  run: async (context, { id, every, takeIn, credentialId, webhook }): Promise<ShownSchedule> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const hook = await getHook(db, accountId, id);
    const former = await findSchedule(db, accountId, hook.id);
    const list = every === "off" ? null : requireList(hook);
    const chosen =
      list === null ? null : await chooseCredential(context, { hook, list, credentialId });
    const path =
      list === null ? null : await chooseWebhook(context, { hookId: hook.id, list, webhook });
    await db.$transaction(async (tx) => {
      if (every === "off") await removeSchedule(tx, accountId, hook.id);
      else {
        const savedBy = nameActor(actor);
        const saved = { accountId, hookId: hook.id, credentialId: chosen, webhook: path, savedBy };
        await putSchedule(tx, { ...saved, every, takeIn });
      }
      const after = show(await findSchedule(tx, accountId, hook.id));
      const targets = [{ type: "hook", id: hook.id, name: hook.name }];
      const states = { before: toState(show(former)), after: toState(after) };
      await audit(context, { event: "gap.scheduled", targets, ...states }, tx);
    });
    return show(await findSchedule(db, accountId, hook.id));
  },
});

const toState = ({ every, takeIn, credentialId }: ShownSchedule) => ({
  every,
  takeIn,
  credentialId,
});

type Chosen = {
  readonly hook: HookRecord;
  readonly list: EventList;
  readonly credentialId: string | undefined;
};

async function chooseCredential(context: ServiceContext, { hook, list, credentialId }: Chosen) {
  const { db, actor } = context;
  const chosen = credentialId ?? (await findLastCredential(db, actor.accountId, hook.id));
  if (chosen === null) throw invalidField("credentialId", `is missing. ${list.credentialHelp}`);
  const credential = await getCredential(db, actor.accountId, chosen);
  requireFitting(credential, list);
  return credential.id;
}

const off: ShownSchedule = {
  every: "off",
  takeIn: "none",
  credentialId: null,
  webhook: null,
  searchedUntil: null,
  nextAt: null,
  savedBy: null,
};

function show(schedule: GapScheduleRecord | null): ShownSchedule {
  if (schedule === null) return off;
  const { hookId: _, ...shown } = schedule;
  return shown;
}
