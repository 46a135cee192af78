import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { redactHeaders } from "#lib/core/people/redact/redact-request.ts";
import { deleteConnection, findConnection, listAlive } from "#lib/db/listeners/connections.ts";
import {
  type ListenerRecord,
  deleteListener as removeListener,
} from "#lib/db/listeners/listeners.ts";
import { findReplayable, hearAgain } from "#lib/db/listeners/log-positions.ts";
import { type Acknowledgment, acknowledgeFrames } from "#lib/db/listeners/responses.ts";
import { notifyOfReplies } from "#lib/db/replies/notify-replies.ts";
import { byId } from "#lib/schema/field/common.ts";
import {
  acknowledgeSchema,
  disconnectSchema,
  handOverSchema,
  writeCursor,
} from "#lib/schema/receive/listener.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { requireUnmasked } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";
import { getEndableListener, getOwnListener } from "./listener-owner.ts";
import { toListenerReply } from "./listener-reply.ts";
import { requireAlive } from "./read-frames.ts";

export type Acknowledged = {
  readonly acknowledged: number;
  /** Cursors that weren't open: acknowledged before, or handed over again. */
  readonly unknown: readonly string[];
};

/** Records what a program is done with. Without any, it is the program's heartbeat. */
export const acknowledge = service({
  permission: "listeners:write",
  input: acknowledgeSchema,
  run: async (context, { id, connection, acks }): Promise<Acknowledged> => {
    const { replies, ...of } = await requireAlive(context, { id, connection });
    const acknowledged = acks.map((ack) => toAcknowledgment(ack, replies));
    const removed = new Set(await acknowledgeFrames(context.db, of, acknowledged));
    // Requests of providers wait for them. Those that don't are in no process that hears it.
    if (replies && removed.size > 0)
      await notifyOfReplies(
        context.db,
        acknowledged.map(({ deliveryId }) => deliveryId),
      );
    const unknown = acks.filter(({ cursor: { cursor } }) => !removed.has(cursor));
    return {
      acknowledged: removed.size,
      unknown: unknown.map(({ cursor }) => writeCursor(cursor.cursor, cursor.deliveryId)),
    };
  },
});

type Ack = z.output<typeof acknowledgeSchema>["acks"][number];

function toAcknowledgment({ cursor, status, ...given }: Ack, replies: boolean): Acknowledgment {
  if (status === undefined) return { ...cursor, response: null };
  const { headers = [], bodyBase64 = "", ms = 0 } = given;
  const bodyBytes = Math.max(given.bodyBytes ?? 0, Buffer.byteLength(bodyBase64, "base64"));
  const response = {
    ...{ status, bodyBase64, durationMs: ms, bodyBytes },
    headers: redactHeaders(headers, []),
    ...(replies && { reply: toListenerReply({ status, headers, bodyBase64, bodyBytes }) }),
  };
  return { ...cursor, response };
}

/** Lets a listener hear deliveries again, after those that it waits for. */
export const handOver = service({
  permission: "listeners:write",
  input: handOverSchema,
  run: async ({ db, actor }, { id, deliveryIds }): Promise<{ readonly count: number }> => {
    requireUnmasked(actor);
    const { id: listenerId } = await getOwnListener(db, actor, id);
    const { accountId } = actor;
    const ids = [...new Set(deliveryIds)];
    const found = await findReplayable(db, accountId, ids.filter(isId));
    const missing = ids.find((each) => !found.has(each));
    if (missing !== undefined)
      throw new AppError("not_found", `No delivery ${missing} was accepted.`);
    await hearAgain(db, { accountId, deliveryIds: ids, listenerId });
    return { count: ids.length };
  },
});

export const deleteListener = service({
  permission: "listeners:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const listener = await getEndableListener(tx, actor, id);
      await removeListener(tx, actor.accountId, listener.id);
      const targets = [toTarget(listener)];
      await audit(context, { event: "listener.deleted", targets }, tx);
    });
  },
});

/** Ends a connection at once: others get what it hasn't acknowledged. */
export const disconnect = service({
  permission: "listeners:write",
  input: disconnectSchema,
  run: async (context, { id, connectionId }): Promise<void> => {
    const { db, actor } = context;
    const { accountId } = actor;
    await db.$transaction(async (tx) => {
      const listener = await getEndableListener(tx, actor, id);
      const of = { accountId, listenerId: listener.id, connectionId };
      const ended = isId(connectionId) ? await findConnection(tx, of) : null;
      if (ended === null) throw new AppError("not_found", "There is no connection with this id.");
      await deleteConnection(tx, of);
      const others = await listAlive(tx, of);
      if (listener.name === null && others.length === 0)
        await removeListener(tx, accountId, listener.id);
      const change = { before: { host: ended.host }, after: {} };
      const targets = [toTarget(listener)];
      await audit(context, { event: "listener.disconnected", targets, ...change }, tx);
    });
  },
});

function toTarget({ id, name }: ListenerRecord) {
  return { type: "listener", id, ...(name !== null && { name }) };
}
