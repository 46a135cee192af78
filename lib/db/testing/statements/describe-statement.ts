import type { Client, Connection, Submittable } from "pg";

/** A column of a prepared statement, and the object id of its type. */
export type DescribedColumn = { readonly name: string; readonly dataTypeID: number };

/**
 * Prepares a statement and asks PostgreSQL for its columns. Nothing runs. Rejects with PostgreSQL's
 * error if a name, a type, or the syntax is wrong.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export async function describeStatement(
  client: Client,
  text: string,
): Promise<readonly DescribedColumn[]> {
  return await new Promise((resolve, reject) => {
    client.query(new Description(text, resolve, reject));
  });
}

class Description implements Submittable {
  readonly #text: string;
  readonly #resolve: (columns: readonly DescribedColumn[]) => void;
  #columns: readonly DescribedColumn[] = [];
  /** The client calls it with PostgreSQL's error, and then no other. */
  readonly handleError: (error: Error) => void;

  constructor(
    text: string,
    resolve: (columns: readonly DescribedColumn[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#text = text;
    this.#resolve = resolve;
    this.handleError = reject;
  }

  submit(connection: Connection): void {
    connection.parse({ name: "", text: this.#text, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly DescribedColumn[] }): void {
    this.#columns = fields;
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#columns);
  }
}
