import { AppError, invalidField } from "#lib/base/errors.ts";
import { isId, newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { readHookNames } from "#lib/db/hooks/hook-names.ts";
import {
  type ConnectionRecord,
  deleteConnection,
  insertConnection,
  listAlive,
} from "#lib/db/listeners/connections.ts";
import { replyForHooks } from "#lib/db/listeners/listener-replies.ts";
import {
  changeListener,
  countListeners,
  deleteListener,
  type HookPositions,
  insertListener,
  type ListenerRecord,
  lockNamedListener,
  skipTo,
} from "#lib/db/listeners/listeners.ts";
import {
  giveOutPositions,
  hearSince,
  readHeads,
  waitForStores,
} from "#lib/db/listeners/log-positions.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import {
  type ListenerInput,
  listenerLimits,
  listenerSchema,
} from "#lib/schema/receive/listener.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { authorize, requireUnmasked } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { ownerOf } from "./listener-owner.ts";
import { type ListenerState, readListenerState } from "./read-listeners.ts";

export type OpenedListener = ListenerState & { readonly connectionId: string };

type Opened = {
  readonly id: string;
  readonly connectionId: string;
  readonly isNew: boolean;
};

/**
 * Connects a program as a listener: a new one, or the one of the same person with this name, which
 * continues where it was. Throws `conflict` if another program is connected as it, unless both share.
 */
export const openListener = service({
  permission: "listeners:write",
  input: listenerSchema,
  run: async (context, input): Promise<OpenedListener> => {
    const { db, actor } = context;
    const { accountId } = actor;
    requireUnmasked(actor);
    if (input.reply) authorize(actor, "hooks:write");
    await requireHooks(context, input.hookIds);
    // What was stored for the account long ago gets its positions in transactions of its own.
    const heads = await readHeads(db, [accountId]);
    const head = heads.get(accountId);
    const opened = await db.$transaction((tx) => open(context, { input, head }, tx));
    if (typeof input.from === "number") await hearFrom(context, opened, input, input.from);
    const state = await readListenerState(context, opened.id);
    return { ...state, connectionId: opened.connectionId };
  },
});

async function requireHooks(
  { db, actor }: ServiceContext,
  hookIds: readonly string[],
): Promise<void> {
  const found = await readHookNames(db, actor.accountId, hookIds.filter(isId));
  const index = hookIds.findIndex((id) => !found.has(id));
  if (index >= 0)
    throw invalidField(`hookIds.${index}`, "There is no hook with this id", "not_found");
}

type Opening = {
  readonly input: ListenerInput;
  /** The account's last position at the start of the call. Undefined: no one has listened yet. */
  readonly head: bigint | undefined;
};

async function open(
  context: ServiceContext,
  { input, head }: Opening,
  tx: Transaction,
): Promise<Opened> {
  const { accountId } = context.actor;
  // A statement that began before the listener was there may commit after it was told what is there.
  if (typeof input.from === "number") await waitForStores(tx, accountId);
  // What locks the account's head holds up all who connect meanwhile.
  const needsLock = typeof input.from === "number" || head === undefined;
  const position = needsLock ? await giveOutPositions(tx, accountId) : head;
  const ownerId = ownerOf(context.actor);
  const { name } = input;
  const known =
    name === undefined ? null : await lockNamedListener(tx, accountId, { ownerId, name });
  const id = known?.id ?? newId();
  if (known === null) await add(context, { id, ownerId, input, position }, tx);
  else await join(context, { known, input, position }, tx);
  const connectionId = newId();
  const connection = { id: connectionId, accountId, listenerId: id };
  await insertConnection(tx, { ...connection, host: input.host, isShared: input.share });
  if (input.reply) await reply({ accountId, connectionId, hookIds: input.hookIds }, tx);
  const target = { type: "listener", id, ...(name !== undefined && { name }) };
  const replies = input.reply && { replies: true };
  const after = { host: input.host, hookIds: input.hookIds, ...replies };
  await audit(context, { event: "listener.connected", targets: [target], before: {}, after }, tx);
  return { id, connectionId, isNew: known === null };
}

/** Throws `conflict`, and says who answers for a hook. */
async function reply(replying: Parameters<typeof replyForHooks>[1], tx: Transaction) {
  const other = await replyForHooks(tx, replying);
  if (other === null) return;
  const { hookName, host, ownerName, connectedAt } = other;
  throw new AppError(
    "conflict",
    `${hookName} is answered by ${ownerName} on ${host} since ${connectedAt.toISOString()}. ` +
      "Stop it there, or listen without answering.",
  );
}

type Added = {
  readonly id: string;
  readonly ownerId: string;
  readonly input: ListenerInput;
  readonly position: bigint;
};

async function add(
  { actor }: ServiceContext,
  { id, ownerId, input, position }: Added,
  tx: Transaction,
): Promise<void> {
  const { accountId } = actor;
  if ((await countListeners(tx, accountId)) >= listenerLimits.listeners) {
    const most = `An account has at most ${listenerLimits.listeners} listeners.`;
    throw new AppError("conflict", `${most} Delete one that isn't used.`);
  }
  const { name = null, hookIds, filter } = input;
  const owner = { ownerId, ownerName: nameActor(actor), accountId };
  const hears = { name, hookIds, eventTypes: filter.eventTypes };
  await insertListener(tx, { id, ...owner, ...hears, readPosition: position });
}

type Known = ListenerRecord & { readonly hookPositions: HookPositions };

type Joined = {
  readonly known: Known;
  readonly input: ListenerInput;
  readonly position: bigint;
};

async function join(
  { actor }: ServiceContext,
  { known, input, position }: Joined,
  tx: Transaction,
): Promise<void> {
  const { accountId } = actor;
  const alive = await listAlive(tx, { accountId, listenerId: known.id });
  requireFree(known, alive, input.share);
  const { hookIds, filter, from } = input;
  const hookPositions = from === "last" ? beginNewHooks(known, hookIds, position) : {};
  const hears = { hookIds, eventTypes: filter.eventTypes, hookPositions };
  await changeListener(tx, accountId, known.id, { ...hears, ownerName: nameActor(actor) });
  if (from !== "last") await skipTo(tx, accountId, known.id, position);
}

/** Hooks that a listener didn't hear before begin now, and the others where they were. */
function beginNewHooks(
  { hookIds: before, hookPositions }: Known,
  hookIds: readonly string[],
  now: bigint,
): HookPositions {
  const heardAll = before.length === 0;
  const begin = (hookId: string) =>
    heardAll || before.includes(hookId)
      ? (hookPositions[hookId] ?? hookPositions["*"] ?? "0")
      : String(now);
  const beginAll = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, begin(id)]));
  if (hookIds.length > 0) return beginAll(hookIds);
  return heardAll ? hookPositions : { ...beginAll(before), "*": String(now) };
}

/** Throws `conflict`, and says who is connected. */
export function requireFree(
  { name }: Pick<ListenerRecord, "name">,
  others: readonly ConnectionRecord[],
  isShared: boolean,
): void {
  const other = others.find((each) => !(each.isShared && isShared));
  if (other !== undefined) {
    const who = `${other.host} since ${other.connectedAt.toISOString()}`;
    throw new AppError(
      "conflict",
      `The listener ${name ?? "without a name"} is connected from ${who}. ` +
        "Stop it there, choose another name, or let all of them share it.",
    );
  }
  if (others.length < listenerLimits.connections) return;
  const most = `At most ${listenerLimits.connections} programs share a listener.`;
  throw new AppError("conflict", `${most} Stop one, or choose another name.`);
}

async function hearFrom(
  { db, actor }: ServiceContext,
  { id, connectionId, isNew }: Opened,
  { hookIds, filter }: ListenerInput,
  fromMs: number,
): Promise<void> {
  const { accountId } = actor;
  const { backlog: limit } = listenerLimits;
  const wanted = { accountId, listenerId: id, hookIds, ...filter, fromId: idFloor(fromMs), limit };
  try {
    await db.$transaction(async (tx) => {
      if (await hearSince(tx, wanted)) return;
      const most = `more than ${limit.toLocaleString("en-US")} deliveries were accepted since then`;
      throw invalidField("from", `${most}: choose a later time`, "out_of_range");
    });
  } catch (error) {
    await db.$transaction(async (tx) => {
      if (isNew) return await deleteListener(tx, accountId, id);
      await deleteConnection(tx, { accountId, listenerId: id, connectionId });
    });
    throw error;
  }
}
