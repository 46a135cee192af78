import { connect, type Socket } from "node:net";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { LeasedRun, StoreLease } from "#lib/db/queue/lease-runs.ts";
import { type Control, readControl } from "./control.ts";
import { Credits, Taken } from "./credits.ts";
import { controlKind, FrameReader } from "./frames.ts";
import { toRunsFrame } from "./runs-frame.ts";

/** The lease of a batch that is being stored. */
export type BatchLease = StoreLease<NewDelivery> & {
  readonly takenAtMs: number;
  readonly taken: Taken;
  readonly link: Link;
};

/** Larger bodies are loaded when they are claimed, as with `claimRuns`. */
const maxBodyBytes = 64 * 1024;
/** A worker that says nothing for this time hangs. It speaks every second. */
const silentMs = 3_000;
/** The limit of bytes that wait in this process for a worker that reads slowly. */
const maxUnreadBytes = 4 * 1024 * 1024;
const reconnectMs = 250;

/**
 * The catch process's side of the hand-off (docs/decisions/runs/093). It never waits: without a
 * worker, without credit, and with a worker that is slow, runs are stored as if there were none.
 */
export class HandOff {
  readonly #path: string;
  readonly #maxStoreMs: number;
  #link: Link | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param path the socket on which the worker listens
   * @param limits a statement that took longer than `maxStoreMs` has seen its actions and hooks too
   *   long ago
   */
  constructor(path: string, { maxStoreMs = 1_000 }: { readonly maxStoreMs?: number } = {}) {
    this.#path = path;
    this.#maxStoreMs = maxStoreMs;
    this.#connect();
  }

  /** The lease for a batch. Null: none of it may be stored for a worker. */
  lease(deliveries: readonly NewDelivery[]): BatchLease | null {
    const link = this.#link;
    const worker = link?.worker;
    if (link === undefined || worker === undefined || !link.hasRoom) return null;
    const taken = new Taken();
    const leased = new Set<NewDelivery>();
    for (const delivery of deliveries)
      if (canBeLeased(delivery) && link.credits.take(delivery.hookId, delivery.accountId, taken))
        leased.add(delivery);
    if (leased.size === 0) return null;
    link.storing += 1;
    const { workerId, leaseId, leaseMs } = worker;
    const isLeased = (delivery: NewDelivery) => leased.has(delivery);
    const { targetIds } = taken;
    return {
      workerId,
      leaseId,
      leaseMs,
      targetIds,
      isLeased,
      takenAtMs: performance.now(),
      taken,
      link,
    };
  }

  /**
   * Hands over the runs of a batch. Call it after the commit.
   *
   * @returns false if the worker doesn't get them. They have to be freed
   */
  handOver(
    { link, taken, takenAtMs, leaseId }: BatchLease,
    runs: readonly LeasedRun<NewDelivery>[],
  ): boolean {
    link.storing -= 1;
    const isLate = performance.now() - takenAtMs > this.#maxStoreMs;
    const isHanded = runs.length > 0 && link.isOpen && !isLate;
    if (isHanded) link.send(toRunsFrame(leaseId, runs), taken);
    else link.credits.giveBack(taken);
    link.endIfDone();
    return isHanded || runs.length === 0;
  }

  /**
   * Storing failed. If the batch may have been stored nevertheless, the worker looks for its runs
   * once the connection has ended.
   */
  abandon({ link, taken }: BatchLease, isSurelyNotStored: boolean): void {
    link.storing -= 1;
    link.credits.giveBack(taken);
    if (isSurelyNotStored) link.endIfDone();
    else link.drop();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#link?.end();
  }

  #connect(): void {
    const link = new Link(connect(this.#path), () => {
      this.#link = undefined;
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => this.#connect(), reconnectMs).unref();
    });
    this.#link = link;
  }
}

function canBeLeased({ status, body, events }: NewDelivery): boolean {
  return status === "accepted" && events === undefined && body.byteLength <= maxBodyBytes;
}

/** A connection to a worker. */
class Link {
  readonly credits = new Credits();
  worker: Extract<Control, { say: "hello" }> | undefined;
  /** Batches that are being stored with this connection's lease. */
  storing = 0;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #heardAtMs = 0;
  #isLeaving = false;

  constructor(socket: Socket, onClosed: () => void) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    // `close` follows. Without a worker it is refused, again and again.
    socket.on("error", () => {});
    socket.once("close", onClosed);
  }

  get isOpen(): boolean {
    return this.#socket.writable && this.worker !== undefined;
  }

  get hasRoom(): boolean {
    const isSilent = performance.now() - this.#heardAtMs > silentMs;
    return (
      this.isOpen && !this.#isLeaving && !isSilent && this.#socket.writableLength < maxUnreadBytes
    );
  }

  send(frame: Buffer, taken: Taken): void {
    this.#socket.write(frame);
    this.credits.send(taken);
  }

  /** Ends the connection once what is being stored has been handed over. */
  end(): void {
    this.#isLeaving = true;
    this.endIfDone();
  }

  endIfDone(): void {
    if (this.#isLeaving && this.storing === 0) this.#socket.end();
  }

  drop(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#heardAtMs = performance.now();
    try {
      for (const { kind, bytes } of this.#reader.read(chunk))
        if (kind === controlKind) this.#hear(readControl(bytes));
    } catch (error) {
      log.error("hand_off.unreadable", { error: toError(error) });
      this.drop();
    }
  }

  #hear(control: Control): void {
    if (control.say === "hello") this.worker = control;
    else if (control.say === "rooms") this.credits.update(control);
    else this.end();
  }
}
