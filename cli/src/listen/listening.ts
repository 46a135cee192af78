import { randomUUID } from "node:crypto";
import { CatchmentError } from "../../../clients/typescript/src/errors.ts";
import type { OpenListenerInput } from "../../../clients/typescript/src/index.ts";
import type { Connection } from "../account/connect.ts";
import { Exit } from "../frame/exit.ts";
import { reconnectDelay, wait } from "../frame/wait.ts";
import { Acks } from "./acks.ts";
import type { FormerSessions } from "./former-session.ts";
import { type Ack, HandOver } from "./hand-over.ts";
import type { ServerEvent, Status } from "./read-events.ts";
import type { Reporter } from "./reporter.ts";
import { makeSend } from "./send-to-target.ts";
import { HeldBack, nextStep, pollEvents, type Session, streamEvents, toExit } from "./session.ts";

type ListeningOptions = {
  readonly connection: Connection;
  readonly target: URL;
  readonly open: OpenListenerInput & { readonly name: string; readonly reply: boolean };
  readonly reporter: Reporter;
  readonly former: FormerSessions;
  readonly parallel: number | null;
  /** More deliveries than these at the start end it. Null: any number. */
  readonly maxBacklog: number | null;
};

/** The gap in the clock of a machine that slept, or of a process that was stopped. */
const clockJumpMs = 30_000;
/** Twice the time after which the server takes a program for gone. */
const maxConflictMs = 60_000;
const finishMs = 5_000;
const postMs = 10_000;

/**
 * A tunnel to a program on this machine. What arrives while there is no connection comes afterwards,
 * because the server keeps the place of a listener with a name.
 */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #handOver: HandOver;
  readonly #acks: Acks;
  /** Aborted with the error that ends it, or with null when the person ends it. */
  readonly #end = new AbortController();
  /** Ends what is heard now, to connect again. */
  #hearing = new AbortController();
  #session: Session | null = null;
  /** The last delivery of this session. */
  #cursor: string | null = null;
  #from: string | undefined;
  #polls = false;
  #isReady = false;
  #attempt = 0;
  #retryAfter: number | null = null;
  #heardAt = Date.now();
  #conflictSince: number | null = null;
  /** The same until the server responds, so that a lost response leaves no second connection behind. */
  #openKey = randomUUID();
  /** An earlier try to connect had no response, so its connection may be there. */
  #mayBeOpen = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
    this.#from = options.open.from;
    const end = (error: unknown) => this.#end.abort(error);
    this.#handOver = new HandOver({
      send: makeSend({ ...options, replies: options.open.reply, signal: this.#end.signal }),
      onDone: (ack) => this.#acks.add(ack),
      onFailure: end,
      parallel: options.parallel,
    });
    this.#acks = new Acks({
      post: (acks) => this.#post(acks),
      onFailure: (error) => {
        const next = nextStep(error);
        if (next === "end") end(error);
        if (next === "open") this.#hearing.abort(error);
      },
    });
  }

  /** The id of the listener. Null: it isn't connected. */
  get listenerId(): string | null {
    return this.#session?.id ?? null;
  }

  /** Resolves when the signal aborts. Throws an `Exit` or an error of the API that ends it. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#end.abort(null), { once: true });
    const stopWatching = this.#watchClock();
    const end = this.#end.signal;
    while (!end.aborted) {
      await this.#hear().catch((error: unknown) => this.#recover(error));
      this.#acks.pause();
      await wait(reconnectDelay(this.#attempt, this.#retryAfter), end);
      this.#attempt += 1;
    }
    stopWatching();
    await this.#leave();
    if (end.reason !== null) throw end.reason;
  }

  /** Hears until the connection ends. */
  async #hear(): Promise<void> {
    const { connection } = this.#options;
    this.#retryAfter = null;
    this.#session ??= await this.#open();
    this.#hearing = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, this.#hearing.signal]);
    const hear = this.#polls ? pollEvents : streamEvents;
    for await (const event of hear(connection, this.#session, this.#cursor, signal))
      this.#take(event);
  }

  async #open(): Promise<Session> {
    const { connection, open, former } = this.#options;
    const { client } = connection;
    const signal = this.#end.signal;
    // What was killed on this machine left its place taken.
    const left = former.take(open.name);
    if (left !== null) await client.disconnectListener(left, { signal }).catch(() => {});
    const from = this.#from === undefined ? {} : { from: this.#from };
    const call = { signal, idempotencyKey: this.#openKey };
    const { id, connectionId } = await client
      .openListener({ ...open, ...from }, call)
      .catch((error: unknown) => {
        if (error instanceof CatchmentError && isUnanswered(error)) this.#mayBeOpen = true;
        else this.#openKey = randomUUID();
        throw error;
      });
    this.#openKey = randomUUID();
    this.#mayBeOpen = false;
    former.remember(open.name, { id, connectionId });
    // From now on it continues where it was.
    this.#from = "last";
    this.#cursor = null;
    this.#conflictSince = null;
    return { id, connectionId };
  }

  #take(event: ServerEvent): void {
    const awayMs = Date.now() - this.#heardAt;
    this.#heardAt = Date.now();
    if (event.kind === "status") this.#takeStatus(event.status, awayMs);
    else if (event.kind === "goodbye") this.#takeGoodbye(event);
    else {
      this.#cursor = event.frame.cursor;
      this.#handOver.add(event.frame);
    }
  }

  /** Ready is said only now, when something has crossed the wire. */
  #takeStatus(status: Status, awayMs: number): void {
    const { reporter, maxBacklog } = this.#options;
    if (!this.#isReady && maxBacklog !== null && status.lag > maxBacklog) {
      const found = `${status.lag} deliveries wait, more than ${maxBacklog}.`;
      this.#end.abort(new Exit("backlog", `${found} Pass over them with --from now.`));
    } else if (!this.#isReady) reporter.ready(status);
    else if (this.#attempt > 0) reporter.back(awayMs, status);
    this.#isReady = true;
    this.#attempt = 0;
    this.#acks.start();
  }

  #takeGoodbye({ reason, retryAfter }: Extract<ServerEvent, { kind: "goodbye" }>): void {
    this.#retryAfter = retryAfter;
    const exit = toExit(reason);
    if (exit === null) this.#hearing.abort(new Error(reason));
    else this.#end.abort(exit);
  }

  /** Decides what an error that ended the connection means: the end, or to come back. */
  async #recover(error: unknown): Promise<void> {
    if (this.#end.signal.aborted) return;
    const { reporter, connection } = this.#options;
    if (error instanceof HeldBack) {
      this.#polls = true;
      return reporter.note(
        "Something on the way holds streams back. Asking for deliveries instead.",
      );
    }
    if (error instanceof CatchmentError && error.status === 409) return this.#wait409(error);
    const next = nextStep(error);
    if (next === "end") return this.#end.abort(error);
    if (next === "again") {
      if (this.#isReady && this.#attempt === 0) reporter.lost();
      return;
    }
    // The connection has ended. A listener that is gone too would start again without what waited.
    const id = this.#session?.id;
    this.#session = null;
    const found =
      id === undefined
        ? null
        : await connection.client.getListener({ id }).catch((reason: unknown) => reason);
    if (found instanceof CatchmentError && found.status === 404)
      this.#end.abort(toExit("listener_deleted"));
  }

  /** The place may still be taken by this program's own connection, which the server hasn't given up. */
  #wait409(error: CatchmentError): void {
    this.#conflictSince ??= Date.now();
    const mayBeOwn = this.#isReady || this.#mayBeOpen;
    if (mayBeOwn && Date.now() - this.#conflictSince < maxConflictMs) return;
    const ways = this.#options.open.reply
      ? "Use --name without --answer to listen beside it."
      : "Use --name to listen beside it, or --share to split the deliveries.";
    this.#end.abort(new Exit("busy", `${error.message} ${ways}`));
  }

  async #post(acks: readonly Ack[]): Promise<void> {
    if (this.#session === null) return;
    const { id, connectionId: connection } = this.#session;
    const { client } = this.#options.connection;
    const signal = AbortSignal.timeout(postMs);
    await client.acknowledgeDeliveries({ id, connection, acks }, { signal });
    this.#handOver.forget(acks);
  }

  /** Connects again at once after this machine slept. */
  #watchClock(): () => void {
    let last = Date.now();
    const timer = setInterval(() => {
      const now = Date.now();
      if (now - last > clockJumpMs) this.#hearing.abort(new Error("The clock jumped"));
      last = now;
    }, 1_000);
    return () => clearInterval(timer);
  }

  /** Lets what was started end, says what is done, and gives the place to the next program. */
  async #leave(): Promise<void> {
    const { connection, former, open } = this.#options;
    await this.#handOver.finish(finishMs);
    if (this.#session === null) return;
    await this.#acks.finish();
    const { id, connectionId } = this.#session;
    const signal = AbortSignal.timeout(finishMs);
    await connection.client.disconnectListener({ id, connectionId }, { signal }).catch(() => {});
    former.forget(open.name);
  }
}

/** The server may have done what it was asked for. */
function isUnanswered({ status }: CatchmentError): boolean {
  return status === 0 || status >= 500;
}
