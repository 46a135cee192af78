import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { countHookContents } from "#lib/db/hooks/hook-contents.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { changeHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { hookStateSchema } from "#lib/schema/receive/hook.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Pauses, resumes, or disables a hook. Held runs start as soon as it is active again. A hook that
 * awaits its secret keeps waiting.
 */
export const setHookStatus = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, status: hookStateSchema }),
  run: async (context, { id, status }): Promise<HookRecord> => {
    const { db, actor } = context;
    const hook = await db.$transaction(async (tx) => {
      const before = await lockHook(tx, actor.accountId, id);
      // Pausing a disabled hook would make it accept deliveries again.
      if (status === "paused" && before.status === "disabled")
        throw new AppError(
          "conflict",
          "This hook is disabled and accepts no deliveries. Enable it first.",
        );
      if (before.status === status) return before;
      const after = await changeHook(tx, id, { status });
      const targets = [{ type: "hook", id, name: after.name }];
      await audit(context, { event: `hook.${status}`, targets, before, after }, tx);
      return after;
    });
    if (status === "active") notifyRunsDue(db);
    return hook;
  },
});

/** Changes the status and returns the number of runs that the change holds or starts. */
export const changeHookStatus = service({
  permission: "hooks:write",
  input: setHookStatus.input,
  run: async (context, input) => {
    const hook = await setHookStatus(context, input);
    const { openRuns } = await countHookContents(context.db, context.actor.accountId, hook.id);
    return { hook, openRuns };
  },
});

/** Holds the hook's runs. It still accepts deliveries. */
export const pauseHook = service({
  permission: "hooks:write",
  input: byId,
  run: (context, { id }) => setHookStatus(context, { id, status: "paused" }),
});

/** Starts the held runs at once. Also enables a disabled hook. */
export const resumeHook = service({
  permission: "hooks:write",
  input: byId,
  run: (context, { id }) => setHookStatus(context, { id, status: "active" }),
});
