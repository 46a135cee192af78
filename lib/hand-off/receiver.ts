import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { toError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";
import { type Control, type Room, toControlFrame } from "./control.ts";
import { FrameReader, runsKind } from "./frames.ts";
import { readRunsFrame } from "./runs-frame.ts";

type ReceiverOptions = {
  readonly leaseMs: number;
  readonly onRuns: (runs: readonly ClaimedActionRun[]) => void;
  /** A catch process is connected, knows no room yet, and will store runs with this lease. */
  readonly onOpened: (leaseId: string) => void;
  /** Runs with this lease may have been stored and never arrived. */
  readonly onClosed: (leaseId: string) => void;
};

/** A statement of a catch process may take 4 s. */
const maxLeavingMs = 5_000;

/** The worker's side of the hand-off: the connections of the catch processes of this machine. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #workerId: number | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(path: string, options: ReceiverOptions) {
    this.#options = options;
    // Left behind by a worker that was killed.
    rmSync(path, { force: true });
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.on("error", (error) => log.error("hand_off.failed", { error }));
    this.#server.listen(path);
  }

  /** The number of catch processes that may hand over. */
  get size(): number {
    return this.#workerId === undefined ? 0 : this.#links.size;
  }

  /** The leases of all connections. */
  get leaseIds(): readonly string[] {
    return Array.from(this.#links, ({ leaseId }) => leaseId);
  }

  /** Offers this worker to the catch processes. Undefined: it has lost its session. */
  setWorker(workerId: number | undefined): void {
    this.#workerId = workerId;
    for (const link of this.#links) {
      if (workerId === undefined) link.drop();
      else this.#welcome(link, workerId);
    }
  }

  /** Ends all connections. Catch processes connect again, with a new lease. */
  dropAll(): void {
    for (const link of this.#links) link.drop();
  }

  /** @param rooms those that have changed, for each connection */
  tell(all: number, rooms: readonly Room[]): void {
    for (const link of this.#links) link.tell(all, rooms);
  }

  /** Settles when everything that was stored for this worker has arrived. */
  async close(): Promise<void> {
    this.#server.close();
    for (const link of this.#links) link.say({ say: "bye" });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    if (this.#links.size > 0) await withTimeLimit(promise, maxLeavingMs, () => this.dropAll());
  }

  #accept(socket: Socket): void {
    const { leaseMs, onRuns, onClosed } = this.#options;
    const link = new Link(socket, leaseMs, onRuns, () => {
      this.#links.delete(link);
      onClosed(link.leaseId);
      if (this.#links.size === 0) this.#onEmpty?.();
    });
    this.#links.add(link);
    if (this.#workerId !== undefined) this.#welcome(link, this.#workerId);
  }

  #welcome(link: Link, workerId: number): void {
    this.#options.onOpened(link.leaseId);
    link.welcome(workerId);
  }
}

/** The connection of a catch process, whose id is its lease. */
class Link {
  readonly leaseId = newId();
  readonly #socket: Socket;
  readonly #leaseMs: number;
  readonly #reader = new FrameReader();
  readonly #onRuns: ReceiverOptions["onRuns"];
  /** Frames that have arrived since it was told. */
  #arrived = 0;

  constructor(
    socket: Socket,
    leaseMs: number,
    onRuns: ReceiverOptions["onRuns"],
    onClosed: () => void,
  ) {
    this.#socket = socket;
    this.#leaseMs = leaseMs;
    this.#onRuns = onRuns;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", () => {});
    socket.once("close", onClosed);
  }

  welcome(workerId: number): void {
    this.say({ say: "hello", workerId, leaseId: this.leaseId, leaseMs: this.#leaseMs });
  }

  tell(all: number, rooms: readonly Room[]): void {
    this.say({ say: "rooms", arrived: this.#arrived, all, rooms });
    this.#arrived = 0;
  }

  say(control: Control): void {
    if (this.#socket.writable) this.#socket.write(toControlFrame(control));
  }

  drop(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      for (const { kind, bytes } of this.#reader.read(chunk)) {
        if (kind !== runsKind) throw new Error(`A frame of kind ${kind}`);
        this.#arrived += 1;
        this.#onRuns(readRunsFrame(bytes));
      }
    } catch (error) {
      log.error("hand_off.unreadable", { error: toError(error) });
      this.drop();
    }
  }
}
