import { log } from "#lib/base/log.ts";
import { type Listener, type ListenSession, listen } from "#lib/db/postgres/listen.ts";
import { hookChangedChannel, runsDueChannel } from "#lib/db/queue/notify.ts";
import { deregisterWorker, registerWorker } from "#lib/db/queue/workers.ts";
import { workerName as name } from "./rescue/worker-name.ts";

type WorkerSessionOptions = {
  readonly url: string;
  /** The key that seals, by its id. A rotation of the key looks for workers with another one. */
  readonly keyId: string;
  /** Called when a notification says that runs are due. */
  onDue(): void;
  /** Called when a hook or one of its actions has changed, or runs of it were canceled. */
  onHookChanged(hookId: string): void;
  /** Called with a new id. This worker's runs have to be moved to it at once. */
  onRegistered(workerId: number): void;
  /** Called when the connection is lost, and the registration with it. */
  onLost(): void;
};

/**
 * The worker's registration, which lives as long as its connection: when the connection goes, so
 * does its lock, and others take over its runs. A process that is still alive registers again, and
 * its last registration is removed.
 */
export class WorkerSession {
  readonly #listener: Listener;
  #workerId: number | undefined;
  #session: ListenSession | undefined;

  constructor(options: WorkerSessionOptions) {
    let lastId: number | undefined;
    this.#listener = listen({
      url: options.url,
      applicationName: `catchment worker lock ${options.keyId}`,
      channels: [runsDueChannel, hookChangedChannel],
      onNotification: (channel, payload) =>
        channel === hookChangedChannel ? options.onHookChanged(payload) : options.onDue(),
      onConnected: async (session) => {
        const workerId = await registerWorker(session, name);
        if (lastId !== undefined) await deregisterWorker(session, lastId);
        lastId = workerId;
        this.#session = session;
        this.#workerId = workerId;
        log.info("worker.registered", { workerId, name });
        options.onRegistered(workerId);
      },
      onLost: (error) => {
        log.warn("worker.connection_lost", { workerId: this.#workerId, error });
        this.#workerId = undefined;
        this.#session = undefined;
        options.onLost();
      },
    });
  }

  /** Undefined while disconnected: nothing may be claimed then. */
  get workerId(): number | undefined {
    return this.#workerId;
  }

  async close(): Promise<void> {
    if (this.#session !== undefined && this.#workerId !== undefined) {
      // If it fails, another worker's rescuer does it.
      await deregisterWorker(this.#session, this.#workerId).catch(() => {});
    }
    this.#workerId = undefined;
    await this.#listener.close();
  }
}
