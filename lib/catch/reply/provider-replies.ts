import type { ServerResponse } from "node:http";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { findReplies, type StoredReply } from "#lib/db/replies/find-replies.ts";
import { readReplyIds } from "#lib/db/replies/notify-replies.ts";
import {
  recordSentReplies,
  type SentAs,
  type SentReply,
} from "#lib/db/replies/record-sent-replies.ts";
import { isReplyHeader } from "#lib/schema/receive/hook-reply.ts";
import { ReplyWaits, type WaitEnd, type WaitLimits } from "./reply-waits.ts";

/** A stored delivery of a hook whose action replies. */
type ReplyRequest = {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly waitMs: number;
  /** The delivery that carried the event first: only its stored reply counts. Null: not a duplicate. */
  readonly originalDeliveryId: string | null;
};

export type ActionReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The reply. Null: the action has none, or not in time. */
type FoundReply = { readonly reply: ActionReply | null; readonly sentAs: SentAs };

/** Gets the replies of actions for the requests that wait for them. */
export class ProviderReplies {
  readonly #db: SqlDatabase;
  readonly #waits: ReplyWaits;
  #sent: SentReply[] = [];
  #flush: NodeJS.Timeout | undefined;

  constructor(db: SqlDatabase, limits: Partial<WaitLimits> = {}) {
    this.#db = db;
    this.#waits = new ReplyWaits((ids) => findReplies(db, ids), limits);
  }

  /** Handles a notification on `repliesChannel`. */
  notify(payload: string): void {
    this.#waits.notify(readReplyIds(payload));
  }

  /** Finds the reply to a new delivery. A duplicate doesn't wait. Never rejects. */
  async find(request: ReplyRequest, response: ServerResponse): Promise<FoundReply> {
    if (request.originalDeliveryId !== null)
      return toFound(await this.#findOfDuplicate(request.originalDeliveryId));
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
    return toFound(end);
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

  async #findOfDuplicate(deliveryId: string): Promise<WaitEnd> {
    try {
      const timeout = () => [];
      const found = await withTimeLimit(findReplies(this.#db, [deliveryId]), maxReadMs, timeout);
      const [reply] = found;
      return reply === undefined ? { kind: "timeout" } : { kind: "reply", reply };
    } catch (error) {
      log.warn("replies.not_read", { error: toError(error) });
      return { kind: "timeout" };
    }
  }
}

function toFound(end: WaitEnd): FoundReply {
  if (end.kind !== "reply") return { reply: null, sentAs: end.kind };
  const reply = toReply(end.reply);
  return { reply, sentAs: reply === null ? "none" : "reply" };
}

function toReply({ status, headers, body }: StoredReply): ActionReply | null {
  if (status === null) return null;
  const sent = Object.entries(headers ?? {}).filter(([name]) => isReplyHeader(name));
  return { status, headers: Object.fromEntries(sent), body: body ?? "" };
}

const flushMs = 250;
/** The maximum number of replies to record. Beyond it, replies are sent but not recorded. */
const maxRecords = 10_000;
const maxReadMs = 2_000;
