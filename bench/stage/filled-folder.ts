import { Client } from "pg";
import {
  makeAccess,
  type ServerAccess,
  type ServerUnderTest,
  startServer,
} from "#e2e/harness/server-under-test.ts";
import { enableStatementStatistics } from "../measure/database-costs.ts";
import { backlogName, countAll, type FillOptions, fill } from "../seed/fill.ts";
import { sendTo } from "../seed/tables.ts";

/** The access is always the same, so that a folder can be opened again. */
export const folderAccess: ServerAccess = { ...makeAccess(), secretKey: "b".repeat(43) };

type FolderOptions = Omit<FillOptions, "url" | "account" | "days" | "isOwn"> & {
  readonly folder: string;
  readonly days?: number;
};

/**
 * Prepares a data folder with a long history, for a server that is started on it later. A folder
 * that is filled already stays as it is, except for the URL of its backlog.
 */
export async function fillFolder({ folder, days = 25, ...rest }: FolderOptions): Promise<void> {
  // Without a worker, open runs stay open.
  const server = await startServer({ folder, roles: ["catch"] }, folderAccess);
  try {
    const url = server.databaseUrl();
    await withClient(server, async (client) => {
      const { rows } = await client.query("select from deliveries limit 1");
      if (rows.length === 0) await fill({ url, account: "main", days, isOwn: true, ...rest });
      await sendTo(client, backlogName, rest.openUrl);
    });
    await countAll(url, rest.say);
    await enableStatementStatistics(url);
  } finally {
    await server.stop();
  }
}

export async function withClient<Result>(
  server: ServerUnderTest,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: server.databaseUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
