import pg from "pg";

/**
 * A connection that closes when it gives a statement up (`query_timeout`). The statement may still be under way; and in a transaction the
 * ROLLBACK behind it is given up too, before it was sent: back in the pool, such a connection would take other statements into a
 * transaction that nobody ever commits, and say that they are written.
 */
export class ClosingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const result: unknown = (super.query as (...args: unknown[]) => unknown)(...args);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === givenUp) this.#close();
      });
    }
    return result as never;
  }

  #close(): void {
    // `end()` would wait behind the statement.
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** Of pg's own timer; it gives the error no code. */
const givenUp = "Query read timeout";
