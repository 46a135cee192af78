import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./harness/dashboard.ts";
import { type Receiver, startReceiver } from "./harness/receiver.ts";
import { makeScratchFolder } from "./harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "./harness/server-under-test.ts";
import { stripeSecret } from "./harness/stripe-delivery.ts";

// Waits for a state instead of a time, because the machine may be busy.

let server: ServerUnderTest;
let receiver: Receiver;

// Empty is unset: there is no owner yet.
const withoutOwner = {
  CATCHMENT_ADMIN_EMAIL: "",
  CATCHMENT_ADMIN_PASSWORD: "",
  CATCHMENT_ADMIN_ACCOUNT: "",
  CATCHMENT_ADMIN_API_TOKEN: "",
};

test.beforeAll(async () => {
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

/**
 * Clicks and choices as a user makes them, and the seconds since the first. Typing isn't counted.
 */
function countSteps(page: Page) {
  const startedAt = Date.now();
  let clicks = 0;
  const steps: string[] = [];
  const note = (what: string) => {
    clicks += 1;
    steps.push(`${clicks}. ${what} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  };
  return {
    async click(name: string | RegExp, role: "button" | "link" = "button") {
      note(String(name));
      await page.getByRole(role, { name }).click();
    },
    async choose(label: string) {
      note(label);
      await page.getByLabel(label).check();
    },
    steps,
    count: () => clicks,
    seconds: () => (Date.now() - startedAt) / 1000,
  };
}

test("from the setup link to the call for a sample, without the secret at first, in ten clicks", async ({
  page,
}) => {
  const person = countSteps(page);
  const shoot = createCamera(page);
  const setupLink =
    /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(readFileSync(server.logFile, "utf8"))?.[0] ?? "";
  await page.goto(setupLink);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill("ada@example.com");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("a few words in a row");
  // Not counted as a click, since users who type well don't need it.
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
  await page.getByLabel("Account").fill("acme");
  await expectAccessible(page);
  await shoot("setup");
  await person.click("Create owner");

  await expect(
    page.getByRole("heading", { name: "Where do your webhooks come from?" }),
  ).toBeVisible();
  await expectAccessible(page);
  await person.click("Stripe", "link");
  await expect(page.getByLabel("Name")).toHaveValue("Stripe");
  await person.choose("I don't have it yet");
  await expectAccessible(page);
  await person.click("Create hook");

  await expect(page.getByRole("heading", { name: "Waiting for the first delivery" })).toBeVisible();
  await expect(page.getByText(/Stripe Dashboard → .*paste the catch URL/)).toBeVisible();
  await expectAccessible(page);
  await shoot("guide");
  await person.click("Send a sample");
  await expect(page.getByRole("heading", { name: "A sample is here" })).toBeVisible();
  await expectAccessible(page);
  await shoot("sample");

  const secret = page.getByLabel("Signing secret", { exact: true });
  await secret.fill(stripeSecret);
  await person.click("Add secret");
  await expect(secret).toHaveCount(0);
  // The sample was ours, so nothing is pending and nothing says that the secret is wrong.
  await expect(page.getByText(/verified yet|signed with this secret/)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "A sample is here" })).toBeVisible();
  await shoot("secret-added");
  await person.click("Create action", "link");

  await page.getByLabel("Name", { exact: true }).fill("To my system");
  await page.getByLabel("URL", { exact: true }).fill(receiver.url("/first"));
  await page.getByLabel("Field 1, name").fill("event");
  await page.getByLabel("Field 1, value").fill("{{ id }}");
  await expect(page.getByText(/becomes evt_/)).toBeVisible();
  await shoot("editor");
  await person.click("Save action");
  await person.click("Run on this delivery");
  await person.click("Run action");
  await expect(page).toHaveURL(/\/deliveries\//);
  await expect(page.getByText("HTTP 200").or(page.getByText("200 OK")).first()).toBeVisible();
  await expect(page.getByText("Sample", { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  await shoot("call");
  expect(receiver.calls).toHaveLength(1);
  expect(receiver.calls[0]?.body).toMatch(/^\{"event":"evt_\w+"\}$/);
  expect(person.count()).toBe(10);
  console.log(
    `The first minutes: ${person.count()} clicks, ${person.seconds().toFixed(0)} s\n${person.steps.join("\n")}`,
  );

  // The added secret verifies new requests.
  await page.getByRole("link", { name: "Stripe" }).first().click();
  await page.getByRole("button", { name: "Send a sample" }).click();
  await expect.poll(() => receiver.calls.length).toBe(2);
});

/**
 * Screenshots of each step in both themes and widths, if `FIRST_MINUTES_PICTURES` names a folder.
 */
function createCamera(page: Page) {
  const folder = process.env.FIRST_MINUTES_PICTURES;
  return async (name: string): Promise<void> => {
    if (folder === undefined) return;
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.screenshot({
          path: `${folder}/${name}-${colorScheme}-${width}.png`,
          fullPage: true,
        });
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 900 });
  };
}
