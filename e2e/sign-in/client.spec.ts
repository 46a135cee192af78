import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expect, test } from "@playwright/test";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { checkLayouts } from "./check-layouts.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("client");
});
test.afterAll(async () => await dashboard?.stop());

/** The port that an assistant opens on the person's machine for the response. */
async function startCallback() {
  const { promise: response, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, out) => {
    resolve(new URL(request.url ?? "", "http://localhost").searchParams);
    out.end("You can close this page.");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const stop = async () => void server.close();
  return { response, url: `http://127.0.0.1:${port}/callback`, [Symbol.asyncDispose]: stop };
}

/** The memory of an assistant. */
function createProvider(redirectUrl: string) {
  const kept: Record<string, unknown> = {};
  const keep = (name: string) => (value: unknown) => {
    kept[name] = value;
  };
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: "Claude Code", redirect_uris: ["http://127.0.0.1/callback"] },
    state: () => "the state",
    clientInformation: () => kept.client,
    saveClientInformation: keep("client"),
    tokens: () => kept.tokens,
    saveTokens: keep("tokens"),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: keep("verifier"),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: keep("discovery"),
    redirectToAuthorization: keep("opened"),
  } as OAuthClientProvider;
  return { provider, opened: () => String(kept.opened) };
}

test("a person signs in, chooses what an assistant may do, and it lists its tools", async ({
  page,
}) => {
  const { origin } = dashboard.server;
  await using callback = await startCallback();
  const { provider, opened } = createProvider(callback.url);
  const serverUrl = new URL(`${origin}/mcp`);
  expect(await auth(provider, { serverUrl })).toBe("REDIRECT");

  await page.goto(opened());
  await expect(page).toHaveURL(/\/sign-in\?next=%2Foauth%2Fauthorize%3F/);
  await page.getByLabel("Email").fill(dashboard.account.email);
  await page.getByLabel("Password", { exact: true }).fill(dashboard.account.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Let Claude Code in?" })).toBeVisible();
  await expect(page.getByText("As it calls itself. Anyone can use this name")).toBeVisible();
  await expect(page.getByText("A program on this computer")).toBeVisible();
  await page.getByLabel("Publish events and resend them").uncheck();
  await checkLayouts(page, "client-decision");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByText("You can close this page.")).toBeVisible();

  const response = await callback.response;
  expect([response.get("state"), response.get("iss")]).toEqual(["the state", origin]);
  const transport = new StreamableHTTPClientTransport(serverUrl, { authProvider: provider });
  await transport.finishAuth(response);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(serverUrl, { authProvider: provider }));
  expect((await client.listTools()).tools).toHaveLength(15);
  const refused = await client.callTool({ name: "publish_event", arguments: { type: "a.b" } });
  expect(refused.isError).toBe(true);
  await client.close();

  await page.goto(`${origin}/account/tokens`);
  await page.getByRole("button", { name: "Revoke Claude Code" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
  expect(await auth(provider, { serverUrl })).toBe("REDIRECT");

  // The same program again, which the person didn't start.
  await page.goto(opened());
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("You can close this page.")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
});

test("a link to another address goes nowhere, and says why", async ({ page }) => {
  await using callback = await startCallback();
  const { provider, opened } = createProvider(callback.url);
  await auth(provider, { serverUrl: `${dashboard.server.origin}/mcp` });
  const link = new URL(opened());
  link.searchParams.set("redirect_uri", "https://evil.example/callback");
  await dashboard.open(page, `${link.pathname}${link.search}`);
  await expect(page.getByText("an address that the program didn't register")).toBeVisible();
  await expect(page.getByRole("link", { name: /evil/ })).toHaveCount(0);
  await checkLayouts(page, "client-rejected");

  link.searchParams.set("redirect_uri", callback.url);
  link.searchParams.set("code_challenge_method", "plain");
  await dashboard.open(page, `${link.pathname}${link.search}`);
  await expect(page.getByText("doesn't protect its sign-in with PKCE")).toBeVisible();
  await page.getByRole("link", { name: "Report it to 127.0.0.1" }).click();
  expect((await callback.response).get("error")).toBe("invalid_request");
});
