import { expect, type Page, test } from "@playwright/test";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import { expectAccessible } from "../harness/dashboard.ts";
import { makeHand, reportTask } from "../harness/hand.ts";
import { createThroughApi } from "../harness/post-to-api.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import { makeScratchFolder } from "../harness/scratch-folder.ts";
import {
  adminEmail,
  adminPassword,
  makeAccess,
  type ServerUnderTest,
  startServer,
} from "../harness/server-under-test.ts";

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let receiver: Receiver;
let server: ServerUnderTest;

test.beforeAll(async () => {
  mailServer = await startMailServer();
  receiver = await startReceiver();
  const env = {
    SMTP_URL: mailServer.url,
    CATCHMENT_MAIL_FROM: "Catchment <catchment@example.com>",
  };
  server = await startServer({ folder: makeScratchFolder("alerts"), env }, makeAccess());
});
test.afterAll(async () => {
  await server?.stop();
  receiver?.stop();
  await mailServer?.[Symbol.asyncDispose]();
});

const subjects = () => mailServer.mails.map(({ subject }) => subject.replace(/^\[.*?\] /, ""));
const slackTexts = () =>
  receiver.calls
    .filter(({ path }) => path === "/services/T0/B0/x")
    .map(({ body }) => (JSON.parse(body) as { text: string }).text.replace(/^\S+ /, ""));

async function addChannels(page: Page): Promise<void> {
  await page.goto(`${server.origin}/account/alerts`);
  await expect(page.getByText("No one is told about problems yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New channel" }).click();
  const dialog = page.getByRole("dialog", { name: "New channel" });
  await dialog.getByLabel("Name").fill("Mailbox");
  await dialog.getByLabel("Email").fill("nobody");
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel("Email").fill("oncall@example.com");
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await expect(page.getByRole("list", { name: "Channels" })).toContainText("oncall@example.com");

  await expect(page.getByRole("list", { name: "Channels" })).toContainText("All problems");

  // A second channel is told what is ticked.
  const hand = makeHand(page);
  await hand.click(page.getByRole("button", { name: "New channel" }));
  await hand.write(dialog.getByLabel("Name"), "Team chat");
  await hand.choose(dialog.getByLabel("Type"), "Slack");
  await hand.write(dialog.getByLabel("URL", { exact: true }), receiver.url("/services/T0/B0/x"));
  await hand.click(dialog.getByLabel("The disk is nearly full"));
  await hand.click(dialog.getByRole("button", { name: "Add channel" }));
  const channels = page.getByRole("list", { name: "Channels" }).getByRole("listitem");
  await expect(channels.filter({ hasText: "Team chat" })).toContainText(
    /An action fails, A subscription fails, and \d+ more/,
  );
  reportTask("a second channel, and who is told", hand, 7);
  await page.getByRole("button", { name: "Edit the channel Team chat" }).click();
  await page.getByRole("dialog", { name: "Edit channel" }).getByLabel("Name").fill("Chat");
  await page.getByRole("button", { name: "Save channel" }).click();
  await page.getByRole("button", { name: "Send test to Chat" }).click();
  await expect.poll(slackTexts).toEqual(["This is a test"]);
  await page.getByRole("button", { name: "Send test to Mailbox" }).click();
  await expect.poll(subjects).toEqual(["This is a test"]);
}

async function notifyBoth(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Edit the rule “An action fails”" }).click();
  const dialog = page.getByRole("dialog", { name: "An action fails" });
  await dialog.getByLabel("Times").fill("0");
  await dialog.getByRole("button", { name: "Save rule" }).click();
  await expect(dialog.getByLabel("Times")).toBeFocused();
  await expect(dialog.getByLabel("Times")).toHaveAccessibleDescription(/must be 1 or more/);
  await dialog.getByLabel("Times").fill("3");
  await expect(dialog.getByLabel("Chat")).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByRole("list", { name: "Rules" })).toContainText(
    "3 times in 10 minutes · Mailbox, Chat",
  );
}

async function makeHook(): Promise<{ id: string; catchUrl: string }> {
  const post = async (path: string, body: object) =>
    (await createThroughApi(server, `/api/v1${path}`, body)) as {
      id: string;
      catchUrl: string;
    };
  const hook = await post("/hooks", { name: "Orders" });
  await post(`/hooks/${hook.id}/actions`, {
    name: "Create invoice",
    request: { method: "POST", url: receiver.url("/invoices"), body: {} },
    retry: { maxAttempts: 1 },
  });
  return hook;
}

async function deliver(catchUrl: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ order: crypto.randomUUID() });
    expect((await fetch(catchUrl, { method: "POST", headers, body })).status).toBe(200);
  }
}

/** Lets five minutes pass in which nothing failed. */
async function letTimePass(): Promise<void> {
  await using client = await connectTo(server.databaseUrl());
  await client.query("update problems set last_at = last_at - interval '5 minutes'");
}

test("a receiver that fails opens one problem with one email and one Slack message, and so does its end", {
  tag: "@variant",
}, async ({ page }) => {
  await page.goto(`${server.origin}/sign-in`);
  await page.getByLabel("Email").fill(adminEmail);
  await page.getByLabel("Password", { exact: true }).fill(adminPassword);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${server.origin}/`);
  await addChannels(page);
  await notifyBoth(page);

  const { id: hookId, catchUrl } = await makeHook();
  receiver.respondWith(503, "down", "/invoices");
  await deliver(catchUrl, 5);
  const title = "Create invoice fails: the receiver is down or doesn't respond";
  await expect.poll(subjects).toEqual(["This is a test", title]);
  await expect.poll(slackTexts).toEqual(["This is a test", title]);
  await deliver(catchUrl, 5);

  await page.goto(`${server.origin}/hooks/${hookId}`);
  await page
    .getByRole("region", { name: "Open problems" })
    .getByRole("link", { name: title })
    .click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await expect(page.getByRole("link", { name: "Problems 1 open" })).toBeVisible();
  const messages = page.getByRole("list", { name: "Messages" });
  await expect(messages.getByRole("listitem")).toHaveCount(2);
  await expect(messages.getByText("Sent", { exact: true })).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByText("Acknowledged. Its reminders stop.")).toBeVisible();

  receiver.respondWith(200, "ok", "/invoices");
  await deliver(catchUrl, 1);
  const over = `Over: ${title}`;
  // A scan that was late has seen the last failure only now.
  const subjectsLater = async () => {
    await letTimePass();
    return subjects();
  };
  await expect.poll(subjectsLater).toEqual(["This is a test", title, over]);
  await expect.poll(slackTexts).toEqual(["This is a test", title, over]);
  await page.reload();
  await expect(messages.getByRole("listitem")).toHaveCount(4);
  await expect(page.getByText("It is over.")).toBeVisible();
  await page.goto(`${server.origin}/problems`);
  await expect(page.getByText("No problems")).toBeVisible();
  await page.getByRole("link", { name: "Resolved", exact: true }).click();
  await expect(page.getByRole("link", { name: title })).toBeVisible();
  await expectAccessible(page);
});
