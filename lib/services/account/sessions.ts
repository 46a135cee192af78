import { z } from "zod";
import {
  endSession as end,
  endAllSessions as endAll,
  isSessionAlive as isAlive,
} from "#lib/db/accounts/sessions.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireUser } from "./require-user.ts";

/** True while the user's session lasts, and they belong to its account. */
export const isSessionAlive = service({
  permission: "account:read",
  input: noFields,
  run: async ({ db, actor }) => {
    const user = requireUser(actor);
    return await isAlive(db, user, user.accountId);
  },
});

/** Ends a session of the user. One that has ended already stays ended. */
export const endSession = service({
  permission: "profile:write",
  input: z.strictObject({ id: z.uuid() }),
  run: async (context, { id }): Promise<void> => {
    const { userId } = requireUser(context.actor);
    await context.db.$transaction(async (tx) => {
      await end(tx, userId, id);
      await audit(context, { event: "session.ended", targets: [{ type: "session", id }] }, tx);
    });
  },
});

/** Ends every session of the user, including this one. */
export const endAllSessions = service({
  permission: "profile:write",
  input: noFields,
  run: async (context): Promise<void> => {
    const { userId, email } = requireUser(context.actor);
    await context.db.$transaction(async (tx) => {
      await endAll(tx, userId);
      const targets = [{ type: "user", id: userId, name: email }];
      await audit(context, { event: "session.all_ended", targets }, tx);
    });
  },
});
