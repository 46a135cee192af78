import { afterAll, beforeAll } from "vitest";
import {
  openTestApi,
  type TestAccount,
  type TestApi,
  type TestResponse,
  type Variables,
} from "./test-api.ts";

/** The bench is available from the first test of the file to its last. */
type ApiBench = Pick<TestApi, "url" | "context" | "db" | "call" | "createAccount"> & {
  readonly account: TestAccount;
  /** A call below /api/v1 with the account's token, or another. */
  send(method: string, path: string, body?: unknown, token?: string): Promise<TestResponse>;
  /** Creates a hook and returns it as the API's response shows it. */
  createHook(fields?: Record<string, unknown>, token?: string): Promise<TestResponse["body"]>;
  /** Creates an action and returns its id. */
  createAction(hookId: string, fields?: Record<string, unknown>): Promise<string>;
  /** The hook's secrets in the database, oldest first. */
  openSecrets(hookId: string): Promise<string[]>;
};

/**
 * Gives a test file a fresh database, the API on it, and an account.
 *
 * @param readVariables more variables of the environment, read before the first test
 */
export function withApi(readVariables: () => Variables = () => ({})): ApiBench {
  let opened: { api: TestApi; account: TestAccount } | undefined;
  const use = () => {
    if (opened === undefined) throw new Error("Nothing is open outside of a test");
    return opened;
  };
  beforeAll(async () => {
    const api = await openTestApi(readVariables());
    opened = { api, account: await api.createAccount("acme") };
  });
  afterAll(() => opened?.api.close());

  const send: ApiBench["send"] = (method, path, body, token = use().account.token) =>
    use().api.call(method, `/api/v1${path}`, { token, body });
  const create = async (path: string, body: unknown, token?: string) => {
    const response = await send("POST", path, body, token);
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  };
  return {
    get url() {
      return use().api.url;
    },
    get context() {
      return use().api.context;
    },
    get db() {
      return use().api.db;
    },
    get account() {
      return use().account;
    },
    call: (...options) => use().api.call(...options),
    createAccount: (...options) => use().api.createAccount(...options),
    send,
    createHook: (fields, token) => create("/hooks", { name: "Orders", ...fields }, token),
    async createAction(hookId, fields) {
      const request = { method: "POST", url: "https://example.com" };
      return (await create(`/hooks/${hookId}/actions`, { name: "a", request, ...fields })).id;
    },
    async openSecrets(hookId) {
      const { api, account } = use();
      const rows = await api.db.hookSecret.findMany({ where: { hookId }, orderBy: { id: "asc" } });
      return rows.map((row) => {
        const place = {
          accountId: account.id,
          table: "hook_secrets",
          rowId: row.id,
          field: "ciphertext",
        };
        const found = api.context.sealer.open(row.ciphertext, place);
        return found.ok ? Buffer.from(found.plaintext).toString() : found.code;
      });
    },
  };
}
