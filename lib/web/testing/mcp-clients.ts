import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { POST } from "#app/mcp/route.ts";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import type { Role } from "#lib/schema/account/role.ts";
import { type ApiScope, apiScopes } from "#lib/schema/account/scopes.ts";
import type { withApi } from "./with-api.ts";

export const eras = ["2026-07-28", "2025"] as const;
type Era = (typeof eras)[number];

/** A token of a new member of the account. */
export async function addToken(
  { db, account }: Pick<ReturnType<typeof withApi>, "db" | "account">,
  role: Role,
  scopes: readonly ApiScope[] = apiScopes,
) {
  const userId = await addMember(db, account.id, role);
  const made = { name: role, userId, scopes, expiresAt: null };
  return { userId, ...(await createApiToken(db, account.id, made)) };
}

type Options = {
  readonly token: string;
  readonly era?: Era;
  /** The person's reply to a question. Undefined: the client can't ask. */
  readonly reply?: (question: string) => boolean;
};

/** A client of the protocol's own package, which calls the route as Next does. */
export async function connectMcp({ token, era = "2026-07-28", reply }: Options) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      ...(reply && { capabilities: { elicitation: { form: {} } } }),
      ...(era === "2025" ? {} : { versionNegotiation: { mode: { pin: era } } }),
    },
  );
  if (reply !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: "accept",
      content: { confirm: reply(params.message) },
    }));
  await client.connect(
    new StreamableHTTPClientTransport(new URL("https://hooks.example.test/mcp"), {
      fetch: (url, init) => POST(new Request(url, init)),
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

export type ToolResult = {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: results are compared with expectations
  readonly data: any;
  /** Of its JSON. */
  readonly bytes: number;
};

export async function callTool(
  client: Client,
  name: string,
  args: object = {},
): Promise<ToolResult> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const { content, structuredContent, isError = false } = result;
  const [first] = content as { text?: string }[];
  const bytes = Buffer.byteLength(JSON.stringify({ content, structuredContent }));
  return { isError, text: first?.text ?? "", data: structuredContent, bytes };
}
