import type { ServerResponse } from "node:http";
import { findAnswers, type StoredAnswer } from "#lib/db/answers/find-answers.ts";
import {
  noteSentAnswers,
  type SentAnswer,
  type SentAs,
} from "#lib/db/answers/note-sent-answers.ts";
import { readAnswerIds } from "#lib/db/answers/notify-answers.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { isAnswerHeader } from "#lib/schema/hook-answer.ts";
import { withTimeLimit } from "#lib/with-time-limit.ts";
import { AnswerWaits, type WaitEnd, type WaitLimits } from "./reply-waits.ts";

/** A stored delivery of a hook whose action answers. */
export type AnswerWish = {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly waitMs: number;
  /** The delivery that carried the event first: only its stored answer counts. Null: not a duplicate. */
  readonly originalDeliveryId: string | null;
};

export type ActionAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Null: the action gives none, or not in time. */
export type Answered = { readonly answer: ActionAnswer | null; readonly sentAs: SentAs };

/** Gets the answers of actions for the requests that wait for them. */
export class ProviderAnswers {
  readonly #db: SqlDatabase;
  readonly #waits: AnswerWaits;
  #sent: SentAnswer[] = [];
  #flush: NodeJS.Timeout | undefined;

  constructor(db: SqlDatabase, limits: Partial<WaitLimits> = {}) {
    this.#db = db;
    this.#waits = new AnswerWaits((ids) => findAnswers(db, ids), limits);
  }

  /** For the listener of `answersChannel`. */
  tell(payload: string): void {
    this.#waits.tell(readAnswerIds(payload));
  }

  /** Waits for a new delivery, and never for a duplicate. Never rejects. */
  async find(wish: AnswerWish, response: ServerResponse): Promise<Answered> {
    if (wish.originalDeliveryId !== null)
      return toAnswered(await this.#findOfDuplicate(wish.originalDeliveryId));
    let cancel = () => {};
    const onClose = () => cancel();
    const waiting = this.#waits.wait(wish, wish.waitMs, (stop) => {
      cancel = stop;
    });
    response.once("close", onClose);
    // It may have gone while its delivery was stored.
    if (response.destroyed || response.socket?.destroyed === true) cancel();
    const end = await waiting;
    response.off("close", onClose);
    return toAnswered(end);
  }

  /** Notes what was sent, for the delivery's page. Not awaited by anyone. */
  note(sent: SentAnswer): void {
    if (this.#sent.length < maxNotes) this.#sent.push(sent);
    this.#flush ??= setTimeout(() => void this.flush(), flushMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const sent = this.#sent;
    this.#sent = [];
    if (sent.length === 0) return;
    try {
      await noteSentAnswers(this.#db, sent);
    } catch (error) {
      log.warn("answers.not_noted", { error: toError(error) });
    }
  }

  /** Those that wait get 202, as does every later one. */
  close(): void {
    this.#waits.close();
  }

  async #findOfDuplicate(deliveryId: string): Promise<WaitEnd> {
    try {
      const timeout = () => [];
      const found = await withTimeLimit(findAnswers(this.#db, [deliveryId]), maxReadMs, timeout);
      const [answer] = found;
      return answer === undefined ? { kind: "timeout" } : { kind: "answer", answer };
    } catch (error) {
      log.warn("answers.not_read", { error: toError(error) });
      return { kind: "timeout" };
    }
  }
}

function toAnswered(end: WaitEnd): Answered {
  if (end.kind !== "answer") return { answer: null, sentAs: end.kind };
  const answer = toAnswer(end.answer);
  return { answer, sentAs: answer === null ? "none" : "answer" };
}

function toAnswer({ status, headers, body }: StoredAnswer): ActionAnswer | null {
  if (status === null) return null;
  const sent = Object.entries(headers ?? {}).filter(([name]) => isAnswerHeader(name));
  return { status, headers: Object.fromEntries(sent), body: body ?? "" };
}

const flushMs = 250;
/** Beyond it, answers are sent and not noted. */
const maxNotes = 10_000;
const maxReadMs = 2_000;
