import type { ServerResponse } from "node:http";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import {
  askAgain,
  findListenerReplies,
  type ListenerReply,
} from "#lib/db/listeners/listener-replies.ts";
import { hearAgain } from "#lib/db/listeners/log-positions.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { findReplies, type StoredReply } from "#lib/db/replies/find-replies.ts";
import { readReplyIds } from "#lib/db/replies/notify-replies.ts";
import {
  recordSentReplies,
  type SentAs,
  type SentReply,
} from "#lib/db/replies/record-sent-replies.ts";
import { isReplyHeader } from "#lib/schema/receive/hook-reply.ts";
import {
  type FoundReply,
  type Replier,
  type Reply,
  ReplyWaits,
  type WaitEnd,
  type WaitLimits,
} from "./reply-waits.ts";

/** A stored delivery of a hook whose action replies, or which a listener answers. */
type ReplyRequest = {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly waitMs: number;
  /** The listener that answers. Null: the hook's action replies. */
  readonly listenerId: string | null;
  /** The delivery that carried the event first: only its stored reply counts. Null: not a duplicate. */
  readonly originalDeliveryId: string | null;
  /** We have a response of our own, which only success replaces. */
  readonly isHandshake: boolean;
};

/** The reply. Null: there is none, or not in time. */
type SentReplyOf = { readonly reply: Reply | null; readonly sentAs: SentAs };

/** Gets the replies of actions and listeners for the requests that wait for them. */
export class ProviderReplies {
  readonly #db: SqlDatabase;
  readonly #waits: ReplyWaits;
  #sent: SentReply[] = [];
  #flush: NodeJS.Timeout | undefined;

  constructor(db: SqlDatabase, limits: Partial<WaitLimits> = {}) {
    this.#db = db;
    this.#waits = new ReplyWaits((replier, ids) => readReplies(db, replier, ids), limits);
  }

  /** Handles a notification on `repliesChannel`. */
  notify(payload: string): void {
    this.#waits.notify(readReplyIds(payload));
  }

  /**
   * Finds the reply to a new delivery. A duplicate doesn't wait, unless the program of a listener
   * refused the delivery and is asked again. Never rejects.
   */
  async find(request: ReplyRequest, response: ServerResponse): Promise<SentReplyOf> {
    const { deliveryId, originalDeliveryId, listenerId, isHandshake } = request;
    const replier = listenerId === null ? "action" : "listener";
    if (originalDeliveryId === null) {
      if (isHandshake) await this.#ask(request, () => this.#hear(request));
      const end = await this.#wait({ ...request, deliveryId, replier }, response);
      return toSent(isHandshake && !isSuccess(end) ? { kind: "reply", reply: null } : end, replier);
    }
    const kept = await this.#findOfDuplicate(originalDeliveryId, replier);
    if (listenerId === null || kept.kind !== "reply" || isSuccess(kept))
      return toSent(kept, replier);
    const { accountId } = request;
    const asked = { accountId, deliveryId: originalDeliveryId, listenerId };
    if (!(await this.#ask(request, () => askAgain(this.#db, asked)))) return toSent(kept, replier);
    const again = { ...request, deliveryId: originalDeliveryId, replier } as const;
    return toSent(await this.#wait(again, response), replier);
  }

  /** Records the response that was sent, for the delivery's page. It isn't awaited. */
  record(sent: SentReply): void {
    if (this.#sent.length < maxRecords) this.#sent.push(sent);
    this.#flush ??= setTimeout(() => void this.flush(), flushMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const sent = this.#sent;
    this.#sent = [];
    if (sent.length === 0) return;
    try {
      await recordSentReplies(this.#db, sent);
    } catch (error) {
      log.warn("replies.not_recorded", { error: toError(error) });
    }
  }

  /** Ends all waits, and every later one, with 202. */
  close(): void {
    this.#waits.close();
  }

  async #wait(
    request: ReplyRequest & { readonly replier: Replier },
    response: ServerResponse,
  ): Promise<WaitEnd> {
    let cancel = () => {};
    const onClose = () => cancel();
    const waiting = this.#waits.wait(request, request.waitMs, (stop) => {
      cancel = stop;
    });
    response.once("close", onClose);
    // The provider may have disconnected while its delivery was stored.
    if (response.destroyed || response.socket?.destroyed === true) cancel();
    const end = await waiting;
    response.off("close", onClose);
    return end;
  }

  async #hear({ accountId, deliveryId, listenerId }: ReplyRequest): Promise<boolean> {
    const deliveryIds = [deliveryId];
    return (await hearAgain(this.#db, { accountId, deliveryIds, listenerId })) > 0;
  }

  /** False: the program isn't asked, or the database is unavailable. */
  async #ask({ deliveryId }: ReplyRequest, ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await withTimeLimit(ask(), maxReadMs, () => false);
    } catch (error) {
      log.warn("replies.not_asked", { deliveryId, error: toError(error) });
      return false;
    }
  }

  async #findOfDuplicate(deliveryId: string, replier: Replier): Promise<WaitEnd> {
    try {
      const timeout = () => [];
      const reading = readReplies(this.#db, replier, [deliveryId]);
      const [found] = await withTimeLimit(reading, maxReadMs, timeout);
      return found?.end ?? { kind: "timeout" };
    } catch (error) {
      log.warn("replies.not_read", { error: toError(error) });
      return { kind: "timeout" };
    }
  }
}

function isSuccess(end: WaitEnd): boolean {
  return end.kind === "reply" && end.reply !== null && end.reply.status < 300;
}

function toSent(end: WaitEnd, replier: Replier): SentReplyOf {
  const isListener = replier === "listener";
  if (end.kind === "timeout")
    return { reply: null, sentAs: isListener ? "listener_timeout" : "timeout" };
  if (end.kind !== "reply") return { reply: null, sentAs: end.kind };
  const { reply } = end;
  if (isListener) return { reply, sentAs: reply === null ? "listener_none" : "listener" };
  return { reply, sentAs: reply === null ? "none" : "reply" };
}

async function readReplies(
  db: SqlDatabase,
  replier: Replier,
  deliveryIds: readonly string[],
): Promise<readonly FoundReply[]> {
  if (replier === "action")
    return (await findReplies(db, deliveryIds)).map((stored) => ({
      deliveryId: stored.deliveryId,
      end: { kind: "reply", reply: toReply(stored) },
    }));
  const found = await findListenerReplies(db, deliveryIds);
  return found.map(({ deliveryId, reply }) => ({
    deliveryId,
    end: reply === null ? { kind: "timeout" } : { kind: "reply", reply: toListenerReply(reply) },
  }));
}

function toListenerReply({ status, headers, bodyBase64 }: ListenerReply): Reply | null {
  return status === null ? null : { status, headers, body: Buffer.from(bodyBase64, "base64") };
}

function toReply({ status, headers, body }: StoredReply): Reply | null {
  if (status === null) return null;
  const sent = Object.entries(headers ?? {}).filter(([name]) => isReplyHeader(name));
  return { status, headers: Object.fromEntries(sent), body: body ?? "" };
}

const flushMs = 250;
/** The maximum number of replies to record. Beyond it, replies are sent but not recorded. */
const maxRecords = 10_000;
const maxReadMs = 2_000;
