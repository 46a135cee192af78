import { AppError } from "#lib/base/errors.ts";
import {
  findConnection,
  listAlive,
  startStream,
  touchConnection,
} from "#lib/db/listeners/connections.ts";
import { type EndReason, findEndReason } from "#lib/db/listeners/end-reason.ts";
import { countBacklog, getListener } from "#lib/db/listeners/listeners.ts";
import { readHeads } from "#lib/db/listeners/log-positions.ts";
import {
  type FrameRecord,
  readFrames as readTaken,
  takeFrames,
} from "#lib/db/listeners/take-frames.ts";
import {
  frameQuerySchema,
  listenerLimits,
  streamQuerySchema,
} from "#lib/schema/receive/listener.ts";
import { requireUnmasked } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { getOwnListener } from "./listener-owner.ts";
import { requireFree } from "./open-listener.ts";

export type { EndReason } from "#lib/db/listeners/end-reason.ts";
export type { FrameRecord } from "#lib/db/listeners/take-frames.ts";

type Of = {
  readonly accountId: string;
  readonly listenerId: string;
  readonly connectionId: string;
};

/** A connection that reads frames, or waits for some. */
export type Reader = Of & {
  /** Its number among the streams of its connection. A newer one ends it. */
  readonly stream: bigint;
  /** The cursor of the last frame that it has. */
  readonly afterCursor: bigint;
};

/** Begins a stream of frames, which ends older ones of the connection. */
export const openStream = service({
  permission: "listeners:write",
  input: streamQuerySchema,
  run: (context, input) => startReading(context, input),
});

/** Begins one call for frames, which may wait for them. */
export const openPoll = service({
  permission: "listeners:write",
  input: frameQuerySchema,
  run: async (context, { limit, wait, ...input }) => ({
    reader: await startReading(context, input),
    limit,
    waitMs: wait * 1_000,
  }),
});

type Wanted = {
  readonly id: string;
  readonly connection: string;
  readonly cursor?: { readonly cursor: bigint } | undefined;
};

async function startReading(context: ServiceContext, wanted: Wanted): Promise<Reader> {
  const { db, actor } = context;
  const { of } = await requireConnection(context, wanted.id, wanted.connection);
  await readHeads(db, [actor.accountId]);
  const stream = await db.$transaction(async (tx) => {
    const listener = await getListener(tx, actor.accountId, of.listenerId);
    const found = await findConnection(tx, of);
    const others = await listAlive(tx, of);
    // Meanwhile another program may have taken its place.
    if (found !== null && !found.isAlive) requireFree(listener, others, found.isShared);
    return await startStream(tx, of);
  });
  return { ...of, stream, afterCursor: wanted.cursor?.cursor ?? 0n };
}

/** Throws `not_found`: of the listener, or of the connection. */
async function requireConnection({ db, actor }: ServiceContext, id: string, connectionId: string) {
  requireUnmasked(actor);
  const listener = await getOwnListener(db, actor, id);
  const of: Of = { accountId: actor.accountId, listenerId: listener.id, connectionId };
  const connection = await findConnection(db, of);
  if (connection !== null) return { of, listener, connection };
  throw new AppError("not_found", "This connection has ended. Connect again with POST /listeners.");
}

/** Bodies of one read, together. A single one may have up to `listenerLimits.bodyBytes`. */
const maxReadBytes = 1024 * 1024;
const maxReadFrames = 32;

export type NextFrames = {
  /** Empty: there is nothing for the reader now, or it has to acknowledge some. */
  readonly frames: readonly FrameRecord[];
  /** True if none waits to be handed over. */
  readonly isCaughtUp: boolean;
};

/** The next frames of a reader. */
export async function readNextFrames(
  { db }: ServiceContext,
  reader: Reader,
  limit = maxReadFrames,
): Promise<NextFrames> {
  const maxUnacknowledged = listenerLimits.unacknowledged;
  for (;;) {
    const taken = await takeFrames(db, { ...reader, maxUnacknowledged });
    const limits = { maxBodyBytes: listenerLimits.bodyBytes, maxBytes: maxReadBytes };
    const most = Math.min(limit, maxReadFrames);
    const frames = await readTaken(db, { ...reader, ...limits, limit: most });
    if (frames.length > 0 || taken !== "more") return { frames, isCaughtUp: taken === "caught_up" };
  }
}

export type ListenerStatus = {
  /** Deliveries that were stored and aren't acknowledged. */
  readonly lag: number;
  /** True if none waits to be handed over. */
  readonly caughtUp: boolean;
  /** The number of the cursor that the newest delivery has or will have. */
  readonly headCursor: string;
};

export async function readStatus({ db }: ServiceContext, reader: Reader): Promise<ListenerStatus> {
  const { accountId, listenerId } = reader;
  const { lastCursor } = await getListener(db, accountId, listenerId);
  const { waiting, unacknowledged } = await countBacklog(db, accountId, listenerId);
  return {
    lag: waiting + unacknowledged,
    caughtUp: waiting === 0,
    headCursor: String(lastCursor + BigInt(waiting)),
  };
}

/** Why a reader has to end. Null: it continues. */
export async function findEnd({ db }: ServiceContext, reader: Reader): Promise<EndReason | null> {
  return await findEndReason(db, reader);
}

type Heartbeat = { readonly id: string; readonly connection: string };

/** Takes the heartbeat of a program, also of one that was gone for a while and has no successor. */
export async function requireAlive(
  context: ServiceContext,
  heartbeat: Heartbeat,
): Promise<Of & { readonly replies: boolean }> {
  const { db } = context;
  const { of, listener, connection } = await requireConnection(
    context,
    heartbeat.id,
    heartbeat.connection,
  );
  if (!connection.isAlive) requireFree(listener, await listAlive(db, of), connection.isShared);
  await touchConnection(db, of);
  return { ...of, replies: connection.replies };
}
