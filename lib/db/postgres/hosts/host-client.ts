import pg from "pg";
import type { DatabaseHost } from "#lib/core/env/database-url.ts";
import { requireWritable, type ServerStatus, watchStatus } from "./ask-host.ts";
import { type DatabaseHosts, hostsOf } from "./database-hosts.ts";
import { readOnlyState } from "./no-writable-host-error.ts";

type HostClientConfig = pg.ClientConfig & { readonly connectionString: string };

/**
 * A connection to the writable one of the database's hosts. Every connection of the product is one.
 * Costs nothing while it is used: it only looks at errors.
 *
 * It closes at once where the pool would keep it:
 *
 * - When the server is read-only (25006) or goes (57P01, 57P02). A demoted leader would refuse every
 *   other statement too.
 * - When a statement times out (`query_timeout`). The statement may still be running, and in a
 *   transaction the ROLLBACK behind it times out too, before it was sent. Back in the pool, such a
 *   connection would put other statements into a transaction that is never committed, and report
 *   them as written.
 * - When a commit wasn't replicated. PostgreSQL calls it committed, with a warning, if an administrator
 *   cancels a commit that waits for a synchronous standby. A failover would lose it.
 */
export class HostClient extends pg.Client {
  readonly #hosts: DatabaseHosts;
  readonly #status: ServerStatus | undefined;
  #host: DatabaseHost | undefined;
  #isEnding = false;
  /** Settles when the last statement has its response. Null: it has. */
  #sent: Promise<void> | null = null;

  /** The pool gives its options. */
  constructor(config?: HostClientConfig) {
    const { hosts, url } = hostsOf(config?.connectionString ?? "");
    super({ ...config, connectionString: url.hosts[0].url });
    this.#hosts = hosts;
    if (hosts.isChecked) this.#status = watchStatus(this);
    // While a connection goes from the pool to its user, neither listens, and an error that nothing
    // listens to would end the process. The next statement fails, so the error is still seen.
    this.on("error", () => {});
    this.connection.on("errorMessage", ({ code }: pg.DatabaseError) => this.#onError(code));
    this.connection.on("notice", ({ routine }: pg.DatabaseError) => this.#onNotice(routine));
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null, client?: this) => void): undefined;
  override connect(
    callback?: (error: Error | null, client?: this) => void,
  ): Promise<this> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    // Called outside of the promise, so that an error of the callback isn't taken for ours.
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: Error) => process.nextTick(callback, error),
    );
    return undefined;
  }

  async #connect(): Promise<this> {
    const host = await this.#hosts.choose();
    // The caller has given up.
    if (this.#isEnding || this.connection.stream.destroyed) throw new Error(gaveUp);
    if (this.#hosts.hasSeveral) Object.assign(this, { host: host.host, port: host.port });
    this.#host = host;
    this.connection.once("end", () => this.#onEnd(host));
    try {
      await super.connect();
      if (this.#status !== undefined) await requireWritable(this, this.#status);
    } catch (error) {
      this.#hosts.doubt(host);
      this.#close();
      throw error;
    }
    if (!this.connection.stream.destroyed) this.#hosts.add(host, this);
    return this;
  }

  /** Closes as if the server had gone. A pool that has it idle lets go of it before it is used again. */
  abandon(): void {
    this.connection.emit("error", new Error("Connection terminated: its server is read-only"));
    this.#close();
  }

  /**
   * Prisma reads the relations of a row side by side, also on the one connection of a transaction. They
   * are sent one after the other here: the driver's own queue is deprecated.
   */
  override query(...args: unknown[]): never {
    const isPlain = !args.some(isCallbackOrStream);
    const send = () => (super.query as (...args: unknown[]) => unknown)(...args);
    const result = isPlain && this.#sent !== null ? this.#sent.then(send) : send();
    if (result instanceof Promise) {
      const end = (error?: unknown) => {
        if (error instanceof Error && error.message === timeoutMessage) this.#close();
        if (this.#sent === sent) this.#sent = null;
      };
      const sent: Promise<void> = result.then(() => end(), end);
      this.#sent = sent;
    }
    return result as never;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#isEnding = true;
    const ended = callback === undefined ? super.end() : super.end(callback);
    // The driver does this to a connection that broke, or whose statement got no response.
    if (this.connection.stream.destroyed) this.#doubt();
    return ended;
  }

  #onError(code: string | undefined): void {
    if (this.#host === undefined || code === undefined) return;
    if (code === readOnlyState) this.#hosts.leave(this.#host, this);
    else if (!leavingStates.has(code)) return;
    this.#doubt();
    this.#close();
  }

  #onNotice(routine: string | undefined): void {
    if (routine !== waitForReplication) return;
    const error = new pg.DatabaseError("The commit was not replicated", 0, "error");
    // `query_canceled`
    Object.assign(error, { severity: "ERROR", code: "57014" });
    // The response that follows would report success. This comes before it.
    this.connection.emit("errorMessage", error);
    this.#close();
  }

  #onEnd(host: DatabaseHost): void {
    this.#hosts.remove(host, this);
    if (!this.#isEnding) this.#hosts.doubt(host);
  }

  #doubt(): void {
    if (this.#host !== undefined) this.#hosts.doubt(this.#host);
  }

  #close(): void {
    // `end()` would wait behind the statement.
    this.connection.stream.destroy();
  }
}

/** These return no promise. */
function isCallbackOrStream(arg: unknown): boolean {
  return typeof arg === "function" || (typeof arg === "object" && arg !== null && "submit" in arg);
}

/** admin_shutdown, crash_shutdown, cannot_connect_now */
const leavingStates = new Set(["57P01", "57P02", "57P03"]);

/** The function in PostgreSQL that waits for standbys, which the warning names in every language. */
const waitForReplication = "SyncRepWaitForLSN";

/** The message of pg's own timer, whose error has no code. */
const timeoutMessage = "Query read timeout";

/** The message that the pool has for this. */
const gaveUp = "timeout exceeded when trying to connect";
