import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { connectTo } from "./harness/connect-to.ts";
import { type Dashboard, startDashboard } from "./harness/dashboard.ts";
import { makeScratchFolder } from "./harness/scratch-folder.ts";
import { makeStripeBody, signStripe, stripeSecret } from "./harness/stripe-delivery.ts";

/**
 * Docs that run: each page's blocks that are tagged `sh run`, in their order and in one shell. What a reader
 * would replace (`HOOK_ID`, `cmt_…`, an example's host) is replaced, and a response that isn't 2xx ends it.
 */
const pages = ["README.md", ...globSync("docs/**/*.md")]
  .map((path) => ({ path, blocks: readBlocks(readFileSync(path, "utf8")) }))
  .filter(({ blocks }) => blocks.length > 0);

function readBlocks(markdown: string): readonly string[] {
  return Array.from(markdown.matchAll(/^```sh run\n(.*?)^```$/gms), ([, block = ""]) => block);
}

for (const { path, blocks } of pages)
  test(`${path} does what it says`, { tag: "@variant" }, async () => {
    const dashboard = await startDashboard("docs");
    const { server, account } = dashboard;
    const replacements = await seed(dashboard);
    const script = replacements.reduce(
      (text, [from, to]) => text.replaceAll(from, () => to),
      blocks.join("\n"),
    );
    const folder = makeScratchFolder("docs");
    const env = {
      ...process.env,
      HOME: folder,
      API: `${server.origin}/api/v1`,
      ORIGIN: server.origin,
      TOKEN: account.apiToken,
      CATCHMENT_TOKEN: account.apiToken,
    };
    const outcome = await promisify(execFile)("bash", ["-c", preamble + script], {
      cwd: folder,
      env,
      timeout: 120_000,
      maxBuffer: 2 ** 24,
    }).catch((error: { stdout: string; stderr: string }) => error);
    expect(outcome, `${outcome.stdout}\n${outcome.stderr}`).not.toBeInstanceOf(Error);
    await dashboard.stop();
    process.stdout.write(
      `  docs: ${path}: ${blocks.length} blocks, ${countCommands(script)} commands\n`,
    );
  });

test("the docs have commands that run", { tag: "@variant" }, () => {
  expect(pages.length).toBeGreaterThan(12);
});

/** Ends at the first failure, and shows what a call responded with. */
const preamble = `set -euo pipefail
curl() { case "$1" in -sf | -fsS) command curl "$@" ;; *) command curl --fail-with-body --show-error "$@" ;; esac }
openssl() { echo 0123456789abcdef0123456789abcdef; }
set -x
`;

function countCommands(script: string): number {
  return script.match(/^(?:curl|api|catchment)\b/gm)?.length ?? 0;
}

/** Makes one of everything that the docs name. @returns what replaces a reader's part of a block */
async function seed(of: Dashboard): Promise<readonly (readonly [RegExp, string])[]> {
  const { api, server, account, receiver } = of;
  await using client = await connectTo(server.databaseUrl());
  await client.query(
    `update api_tokens set scopes = scopes || $1
    where name = 'of the test' and account_id = (select id from accounts where slug = $2)`,
    [
      ["alerts:read", "audit:read", "audit:write", "configuration:read", "configuration:write"],
      account.slug,
    ],
  );
  receiver.respondWith(404, "not here", "/crm");
  const hook = await of.makeHook({
    name: "Checkout",
    provider: "stripe",
    signingSecret: stripeSecret,
  });
  const request = { method: "POST", url: receiver.url("/crm") };
  const action = await api("POST", `/hooks/${hook.id}/actions`, { name: "CRM", request });
  const body = new Uint8Array(makeStripeBody("evt_docs"));
  const deliveryId = await of.deliver(hook.catchUrl, body, {
    "content-type": "application/json",
    "stripe-signature": signStripe(Buffer.from(body), Date.now()),
  });
  await api("PUT", "/recipients/cust_42", { name: "Customer" });
  const failed = async () => (await api("GET", "/runs?status=failed")).data;
  await expect.poll(failed).toHaveLength(1);
  return [
    [/https?:\/\/(?:localhost:3000|hooks\.example\.com)/g, server.origin],
    [/https:\/\/(?:crm|siem)\.example\.com|https:\/\/customer\.example/g, receiver.url("")],
    [/cmt_…|\$\(openssl rand -hex 24\)/g, account.apiToken],
    [/whsec_…/g, `whsec_${"0123456789abcdef".repeat(2)}`],
    [/01a2063c-a3bb-7264-b86d-02b79f7f621b|ACTION_ID/g, String(action.id)],
    [/HOOK_ID|\$HOOK\b/g, hook.id],
    [/DELIVERY_ID/g, deliveryId],
    // Catchment runs already.
    [/^npm start &$/gm, ""],
  ];
}
