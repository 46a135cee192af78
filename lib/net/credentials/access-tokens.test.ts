import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { serveHttp } from "../testing/test-servers.ts";
import { withClients } from "../testing/with-clients.ts";
import { AccessTokens } from "./access-tokens.ts";

const clientWith = withClients();

it("a call with little time doesn't take the token from those that wait for the same one", async () => {
  const waiting: ServerResponse[] = [];
  await using server = await serveHttp((_request, response) => void waiting.push(response));
  const { client } = clientWith("127.0.0.0/8");
  const tokens = new AccessTokens(client);
  const auth = {
    type: "oauth2",
    clientId: "shop",
    clientSecret: "hunter2",
    clientAuth: "basic",
    tokenUrl: `http://127.0.0.1:${server.port}/token`,
    scope: null,
    audience: null,
  } as const;
  const owner = { key: "1", auth };
  const hasty = tokens.get(owner, 20);
  const patient = tokens.get(owner, 60_000);
  expect((await hasty).ok).toBe(false);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.end(JSON.stringify({ access_token: "abc", token_type: "Bearer" }));
  expect(await patient).toEqual({ ok: true, token: "abc" });
  expect(waiting.length).toBe(1);
});
