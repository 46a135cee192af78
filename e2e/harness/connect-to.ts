import { Client } from "pg";

/** A connection to the database of a server under test, which ends with its block. */
export async function connectTo(databaseUrl: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
