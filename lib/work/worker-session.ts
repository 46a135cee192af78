import { hostname } from "node:os";
import { type Listener, type ListenSession, listen } from "#lib/db/listen.ts";
import { runsDueChannel } from "#lib/db/queue/notify.ts";
import { deregisterWorker, registerWorker } from "#lib/db/queue/register-worker.ts";
import { log } from "#lib/log.ts";

export type WorkerSessionOptions = {
  readonly url: string;
  /** Somebody says that runs are due. */
  onDue(): void;
  /** A new id; what this worker holds has to be put under it at once. */
  onRegistered(workerId: number): void;
};

/**
 * The worker's registration, for as long as its connection lives: when the connection goes, so does its lock, and others take
 * over what it held. If the process is still there it registers anew.
 */
export class WorkerSession {
  readonly #listener: Listener;
  #workerId: number | undefined;
  #session: ListenSession | undefined;

  constructor(options: WorkerSessionOptions) {
    const name = `${hostname()}:${process.pid}`;
    this.#listener = listen({
      url: options.url,
      applicationName: "catchment worker lock",
      channels: [runsDueChannel],
      onNotification: () => options.onDue(),
      onConnected: async (session) => {
        const workerId = await registerWorker(session, name);
        this.#session = session;
        this.#workerId = workerId;
        log.info("worker.registered", { workerId, name });
        options.onRegistered(workerId);
      },
      onLost: (error) => {
        log.warn("worker.connection_lost", { workerId: this.#workerId, error });
        this.#workerId = undefined;
        this.#session = undefined;
      },
    });
  }

  /** Undefined while there is no connection: nothing may be claimed then. */
  get workerId(): number | undefined {
    return this.#workerId;
  }

  async close(): Promise<void> {
    if (this.#session !== undefined && this.#workerId !== undefined) {
      // When it fails the reaper of another worker does it.
      await deregisterWorker(this.#session, this.#workerId).catch(() => {});
    }
    this.#workerId = undefined;
    await this.#listener.close();
  }
}
