import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { makeHand, reportTask } from "../harness/hand.ts";

let dashboard: Dashboard;
let actionPath: string;
let hook: { id: string; catchUrl: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("versions");
  hook = await dashboard.makeHook({ name: "Shop" });
  actionPath = await makeAction("To the CRM", { a: "{{ id }}", b: 2 });
});
test.afterAll(async () => await dashboard?.stop());

/** An action with two versions. Returns the path of its page. */
async function makeAction(name: string, body: Record<string, unknown>): Promise<string> {
  const request = { method: "POST", url: dashboard.receiver.url("/one"), body: { a: "{{ id }}" } };
  const { id } = await dashboard.api("POST", `/hooks/${hook.id}/actions`, { name, request });
  const path = `/actions/${id}`;
  const url = dashboard.receiver.url("/two");
  await dashboard.api("PATCH", path, { request: { ...request, url, body } });
  return path;
}

test("a version shows what it changed, and can be restored", { tag: "@variant" }, async ({
  page,
}) => {
  await dashboard.open(page, actionPath);
  await page.getByRole("link", { name: "Versions" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("row", { name: /2\s*Current/ })).toContainText(
    "Changed the URL and the body.",
  );
  await expectAccessible(page);

  await page.getByRole("link", { name: "Changed the URL and the body." }).click();
  await expect(page.getByRole("region", { name: "Change of URL" })).toContainText("/one");
  await expect(page.getByRole("region", { name: "Change of Body" })).toContainText("2");
  await expect(page.getByRole("button", { name: "Restore" })).toBeHidden();
  await expectAccessible(page);

  await page.getByRole("link", { name: "All versions" }).click();
  await page.getByRole("link", { name: "Created" }).click();
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByRole("button", { name: "Restore version" }).click();
  await expect(page.getByRole("row", { name: /3\s*Current/ })).toContainText(
    "Restored version 1. Changed the URL and the body.",
  );
  const deliveryId = await dashboard.deliver(hook.catchUrl, '{"id":"evt_1"}');
  await expect.poll(() => dashboard.receiver.calls.map(({ path }) => path)).toEqual(["/one"]);

  const request = { method: "POST", url: dashboard.receiver.url("/later") };
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, { name: "Later", request });
  await dashboard.open(page, `/deliveries/${deliveryId}`);
  await expect(page.getByRole("link", { name: "Version 3" })).toBeVisible();
  await expect(
    page.getByText(/^It didn't run because the action was created at .* UTC/),
  ).toBeVisible();
});

test("a save keeps a note, and any two versions are compared", { tag: "@variant" }, async ({
  page,
}) => {
  await dashboard.open(page, await makeAction("With a note", { a: "{{ id }}" }));
  await page.getByLabel("Field 1, name").fill("amount");
  await page.getByLabel("Note for this version").fill("The CRM renamed it.");
  await page.getByLabel("Note for this version").press("Enter");
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "Versions" }));
  await expect(page.getByRole("row", { name: /Current/ })).toContainText("The CRM renamed it.");
  await hand.click(page.getByRole("checkbox", { name: "Compare version 1" }));
  await hand.click(page.getByRole("checkbox", { name: "Compare version 2" }));
  await expectAccessible(page);
  await hand.click(page.getByRole("button", { name: "Compare versions" }));
  await expect(page.getByRole("heading", { name: "Version 2" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Change of URL" })).toContainText("/one");
  reportTask("compare two versions", hand, 4);
  await page.getByLabel("Compared with").selectOption("3");
  await expect(page).toHaveURL(/versions\/2\?against=3$/);
  await expectAccessible(page);
});

test("of two people who save at once, the second is told", { tag: "@variant" }, async ({
  page,
  context,
}) => {
  await dashboard.open(page, actionPath);
  const other = await context.newPage();
  await other.goto(page.url());
  const change = async (tab: typeof page, name: string) => {
    await tab.getByRole("button", { name: /Add parameter/i }).click();
    await tab.getByLabel("Parameter 1, name").fill(name);
    await tab.getByRole("button", { name: "Save action" }).click();
  };
  await change(page, "first");
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  await change(other, "second");
  await expect(
    other.getByText(/^Not saved\. This action was changed after you opened it/),
  ).toBeVisible();
});
