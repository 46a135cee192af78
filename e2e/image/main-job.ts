import { chromium } from "@playwright/test";
import { fetchUntilAvailable } from "#e2e/harness/fetch-until-available.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import type { Sink } from "#e2e/harness/start-sink.ts";
import { makeStripeBody, signStripe } from "#e2e/harness/stripe-delivery.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import config from "../../playwright.config.ts";

type Access = { readonly origin: string; readonly apiToken: string };

/** Follows the setup link in a browser, as the first person does, and creates a token there. */
export async function setUpOwner(origin: string, setupLink: string): Promise<Access> {
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(setupLink);
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a few words in a row");
    await page.getByLabel("Account").fill("acme");
    await page.getByRole("button", { name: "Create owner" }).click();
    await page.getByRole("heading", { name: "Where do your webhooks come from?" }).waitFor();
    await page.goto(`${origin}/account/tokens`);
    await page.getByRole("textbox", { name: "Name" }).fill("Image");
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: "Create token" }).click();
    const apiToken = (await page.getByTestId("new-token").textContent()) ?? "";
    return { origin, apiToken };
  } finally {
    await browser.close();
  }
}

type MainJob = {
  /** Sends a signed delivery. Returns the status of the response and what it says. */
  deliver(eventId: string): Promise<{ status: string; deliveryId: string }>;
  /** The state of the only run of a delivery, once it is as wanted. */
  untilRun(deliveryId: string, wanted: string): Promise<{ attemptCount: number }>;
};

/** A hook with a secret, and an action that calls the sink. */
export async function startMainJob(access: Access, sink: Sink): Promise<MainJob> {
  const hook = await setUpHook({ ...access, sinkUrl: sink.url, name: "Orders" });
  const headers = { authorization: `Bearer ${access.apiToken}` };
  return {
    async deliver(eventId) {
      const body = new Uint8Array(makeStripeBody(eventId));
      const response = await fetchUntilAvailable(access.origin + hook.path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "stripe-signature": signStripe(body, Date.now()),
        },
        body,
      });
      return (await response.json()) as { status: string; deliveryId: string };
    },
    untilRun: (deliveryId, wanted) =>
      waitUntil(`the run to be ${wanted}`, 120_000, async () => {
        const path = `/api/v1/runs?deliveryId=${deliveryId}`;
        const response = await fetchUntilAvailable(access.origin + path, { headers });
        const { data } = (await response.json()) as {
          data: { status: string; attemptCount: number }[];
        };
        return data.length === 1 && data[0]?.status === wanted ? data[0] : undefined;
      }),
  };
}
