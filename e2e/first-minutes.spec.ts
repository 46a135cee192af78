import { readFileSync } from "node:fs";
import { expect as expectSoon, type Page, test } from "@playwright/test";
import { expectAccessible } from "./harness/dashboard.ts";
import { type Receiver, startReceiver } from "./harness/receiver.ts";
import { makeScratchFolder } from "./harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "./harness/server-under-test.ts";
import { stripeSecret } from "./harness/stripe-delivery.ts";

// A machine that does other things too takes its time: what is waited for is the state, not the clock.
const expect = expectSoon.configure({ timeout: 25_000 });

let server: ServerUnderTest;
let receiver: Receiver;

// Empty is unset: nobody owns this one yet.
const withoutOwner = {
  CATCHMENT_ADMIN_EMAIL: "",
  CATCHMENT_ADMIN_PASSWORD: "",
  CATCHMENT_ADMIN_ACCOUNT: "",
  CATCHMENT_ADMIN_API_TOKEN: "",
};

test.beforeAll(async () => {
  test.setTimeout(120_000);
  receiver = await startReceiver();
  const options = {
    folder: makeScratchFolder("first-minutes"),
    env: withoutOwner,
  };
  server = await startServer(options, makeAccess());
});
test.afterAll(async () => {
  await server?.stop();
  receiver?.stop();
});

/** Clicks as a person makes them; typing is not counted. */
function countClicks(page: Page) {
  let clicks = 0;
  return {
    async click(name: string | RegExp, role: "button" | "link" = "button") {
      clicks += 1;
      await page.getByRole(role, { name }).click();
    },
    count: () => clicks,
  };
}

test("from the set-up link to a mapped call in seven clicks, without a word of documentation", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const person = countClicks(page);
  const setupLink =
    /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(readFileSync(server.logFile, "utf8"))?.[0] ?? "";
  await page.goto(setupLink);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("a few words in a row");
  await page.getByLabel("Account").fill("acme");
  await person.click("Create owner");

  await expect(page.getByRole("heading", { name: "Where do your webhooks come from?" })).toBeVisible();
  await expectAccessible(page);
  await person.click("Stripe", "link");
  await expect(page.getByLabel("Name")).toHaveValue("Stripe");
  await page.getByLabel("Signing secret", { exact: true }).fill(stripeSecret);
  await expectAccessible(page);
  await person.click("Create hook");

  await expect(page.getByRole("heading", { name: "Waiting for the first delivery" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Paste it at Stripe" })).toBeVisible();
  await expect(page.getByText(/Stripe Dashboard → .*paste the catch URL/)).toBeVisible();
  await expectAccessible(page);
  await person.click("Send a sample");
  await expect(page.getByRole("heading", { name: "The first delivery is here" })).toBeVisible();
  await expect(page.getByText("Verified", { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await person.click("Map it into an action", "link");

  await page.getByLabel("Name", { exact: true }).fill("To my system");
  await page.getByLabel("URL", { exact: true }).fill(receiver.url("/first"));
  await person.click("Save action");
  await expect(page.getByRole("heading", { level: 1, name: "Stripe" })).toBeVisible();
  await person.click("Send a sample");
  await expect.poll(() => receiver.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(person.count()).toBe(7);
});
