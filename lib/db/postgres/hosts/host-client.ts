import pg from "pg";

/**
 * A connection that closes when a statement times out (`query_timeout`). The statement may still be
 * running, and in a transaction the ROLLBACK behind it times out too, before it was sent. Back in
 * the pool, such a connection would put other statements into a transaction that is never
 * committed, and report them as written.
 */
export class HostClient extends pg.Client {
  override query(...args: unknown[]): never {
    const result: unknown = (super.query as (...args: unknown[]) => unknown)(...args);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === timeoutMessage) this.#close();
      });
    }
    return result as never;
  }

  #close(): void {
    // `end()` would wait behind the statement.
    (
      this as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy();
  }
}

/** The message of pg's own timer, whose error has no code. */
const timeoutMessage = "Query read timeout";
