import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Frame, type Page, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { makePortalLink } from "../harness/make-portal-link.ts";

/** A recipient's own people: from an opened link to events that their receiver gets and verifies. */
test.describe.configure({ mode: "serial" });

type Call = { readonly headers: IncomingMessage["headers"]; readonly body: string };

/** Each header of a signed call occurs once. */
const toPlain = (headers: Call["headers"] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

let dashboard: Dashboard;
let receiver: Server;
let host: Server;
let page: Page;
let link: string;
let secret = "";
let passesChallenge = false;
const events: Call[] = [];

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const originOf = (server: Server) => `http://127.0.0.1:${portOf(server)}`;

test.beforeAll(async ({ browser }) => {
  dashboard = await startDashboard("portal");
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const challenge = request.headers["webhook-challenge"];
      if (request.method === "POST" && challenge === undefined)
        events.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (typeof challenge === "string" && passesChallenge)
        response.setHeader("webhook-challenge", challenge);
      response.end('{"taken":true}');
    });
  });
  // A page of the account's own product, with the portal in a frame.
  host = createServer((request, response) => {
    const src = new URL(request.url ?? "/", "http://host").searchParams.get("src") ?? "";
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<!doctype html><title>Product</title><iframe src="${src}" width="900" height="700">`);
  });
  for (const server of [receiver, host])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { slug } = dashboard.account;
  const databaseUrl = dashboard.server.databaseUrl();
  const origins = [originOf(host)];
  link = await makePortalLink({ databaseUrl, slug, recipient: "cust_42", origins });
  page = await browser.newPage();
});
test.afterAll(async () => {
  await page?.close();
  receiver?.close();
  host?.close();
  await dashboard?.stop();
});

const url = (path = "") => `${dashboard.server.origin}${link}${path}`;

async function expectFine(): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(scrollWidth).toBe(clientWidth);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("a link opens the account's portal without a sign-in, and is neither cached nor passed on", async () => {
  const response = await page.goto(url());
  expect(response?.headers()).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
  });
  await expect(page.getByRole("link", { name: "Acme Billing" })).toBeVisible();
  await expect(page.getByText("No subscriptions yet")).toBeVisible();
  await expectFine();
});

test("a new subscription gets nothing until its receiver answers the challenge", async () => {
  await page.getByRole("link", { name: "New subscription" }).click();
  await page.getByLabel("Receiver URL").fill(`${originOf(receiver)}/in`);
  await page.getByText("Only some").click();
  await page.getByText("A customer has paid an invoice.").click();
  await expectFine();
  await page.getByRole("button", { name: "Create subscription" }).click();
  secret = (await page.getByTestId("signing-secret").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole("link", { name: "Answer the challenge" }).click();
  await expect(page.getByText(/didn't answer the challenge/).first()).toBeVisible();
  await expectFine();

  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);
  passesChallenge = true;
  // A receiver URL is checked every two seconds at most.
  await expect(async () => {
    const again = page.getByRole("button", { name: "Check again" });
    if (await again.isVisible()) await again.click({ timeout: 2_000 });
    await expect(page.getByText("The next matching event goes to this URL.")).toBeVisible({
      timeout: 5_000,
    });
  }).toPass();
  expect(events).toEqual([]);
});

test("a test event arrives signed, and its attempt is shown with request and response", async () => {
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect.poll(() => events.length).toBe(1);
  const [call] = events;
  const verified = new Webhook(secret).verify(call?.body ?? "", toPlain(call?.headers));
  expect(verified).toMatchObject({ type: "invoice.paid", data: { id: "in_42" } });
  await expect(page.getByRole("row").filter({ hasText: "Succeeded" })).toBeVisible();
  await expectFine();
  await page.getByRole("link", { name: "invoice.paid" }).click();
  await page.getByText("Attempt 1").click();
  await expect(page.getByText('{"taken":true}')).toBeVisible();
  await expectFine();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => events.length).toBe(2);
  expect(events[1]?.headers["webhook-id"]).toBe(events[0]?.headers["webhook-id"]);
});

test("after a rotation both secrets verify", async () => {
  await page.goto(url());
  await page.getByRole("link", { name: /\/in$/ }).click();
  // A tab has a URL, and what was typed in it stays while another is shown.
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("Description").fill("Not saved");
  await page.getByRole("tab", { name: "Settings" }).press("ArrowRight");
  await expect(page).toHaveURL(/\?tab=secret$/);
  await page.goBack();
  await expect(page.getByLabel("Description")).toHaveValue("Not saved");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Recent sends" })).toBeVisible();
  await page.goForward();
  await expect(page.getByLabel("Description")).toHaveValue("Not saved");
  await page.getByRole("link", { name: "Event types" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
  await page.getByLabel("Description").fill("");
  await page.getByRole("tab", { name: "Signing secret" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  const next = (await page.getByTestId("signing-secret").textContent()) ?? "";
  expect(next).not.toBe(secret);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect.poll(() => events.length).toBe(3);
  const call = events[2];
  for (const one of [secret, next])
    new Webhook(one).verify(call?.body ?? "", toPlain(call?.headers));
});

test("a change that another site sends isn't made, although its token is right", async () => {
  const [sent] = await Promise.all([
    page.waitForRequest((request) => "next-action" in request.headers()),
    page.getByRole("button", { name: "Send test event" }).click(),
  ]);
  await expect.poll(() => events.length).toBe(4);
  const { "next-action": action = "", "content-type": type = "" } = sent.headers();
  const repeat = (from: Record<string, string>) =>
    page.request.post(sent.url(), {
      headers: { "next-action": action, "content-type": type, ...from },
      data: sent.postDataBuffer() ?? "",
    });
  const made = /"ok":true/;
  expect(await (await repeat({ origin: "https://evil.example" })).text()).not.toMatch(made);
  expect(await (await repeat({})).text()).not.toMatch(made);
  // The same from our own page is made: the origin was the reason for the rejection.
  const { origin } = dashboard.server;
  expect(await (await repeat({ origin })).text()).toMatch(made);
  await expect.poll(() => events.length).toBe(5);
});

test("a disabled subscription says so, and can be enabled in a frame of an allowed origin only", async () => {
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Disable subscription" }).click();
  await expect(page.getByText("It gets no events because it was disabled manually.")).toBeVisible();
  const path = new URL(page.url()).pathname.slice(link.length);

  const frame = await openFramed(originOf(host), url(path));
  await frame.getByRole("button", { name: "Enable" }).click();
  await expect(frame.getByText(/^The test event arrived\./)).toBeVisible();

  const strange = await openFramed(originOf(host).replace("127.0.0.1", "localhost"), url(path));
  await expect(strange.getByRole("heading", { level: 1 })).toHaveCount(0);
  const dashboardFrame = await openFramed(originOf(host), `${dashboard.server.origin}/sign-in`);
  await expect(dashboardFrame.getByRole("heading", { level: 1 })).toHaveCount(0);
});

test("a link that is no longer valid says so", async () => {
  const gone = `${dashboard.server.origin}/portal/cpl_${"0".repeat(36)}`;
  expect((await page.goto(gone))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await expectFine();
});

/** The frame of the portal in a page of another origin. */
async function openFramed(origin: string, src: string): Promise<Frame> {
  await page.goto(`${origin}/?src=${encodeURIComponent(src)}`);
  const frame = await (await page.locator("iframe").elementHandle())?.contentFrame();
  if (frame === null || frame === undefined) throw new Error("The page has no frame");
  await frame.waitForLoadState().catch(() => undefined);
  return frame;
}
