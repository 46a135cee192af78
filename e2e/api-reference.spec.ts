import { expect, type Locator, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;
test.beforeAll(async () => {
  dashboard = await startDashboard("reference");
});
test.afterAll(async () => await dashboard?.stop());

const address = () => `${dashboard.server.origin}/docs/api/hooks`;

/** Opens the form of a call. */
async function openTrial(page: Page, id: string): Promise<Locator> {
  const call = page.locator(`#${id}`);
  await call.getByRole("button", { name: /^Try it/ }).click();
  return call;
}

/** Makes a token for the call, and waits until the form has it: then it offers no other. */
async function createToken(call: Locator): Promise<void> {
  const create = call.getByRole("button", { name: /^Create a token for/ });
  await create.click();
  await expect(create).toBeHidden();
  await expect(call.getByRole("textbox", { name: "Token" })).toHaveValue(/^cmt_/);
}

test("a call is tried from its page, with a token that only this tab knows", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Tried from the docs" });

  // A visitor reads, and signs in to try.
  await page.goto(address());
  const index = page.getByRole("navigation", { name: "Calls" });
  await index.getByRole("link", { name: "List hooks" }).click();
  const visited = await openTrial(page, "listHooks");
  await expect(visited.getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    "/sign-in?next=%2Fdocs%2Fapi%2Fhooks%23listHooks",
  );

  await dashboard.open(page, "/docs/api/hooks");
  const list = await openTrial(page, "listHooks");
  await list.getByRole("button", { name: "Send request" }).click();
  await expect(list.getByText("Token is required.")).toBeVisible();
  await createToken(list);
  await list.getByRole("button", { name: "Send request" }).click();
  const listed = list.getByRole("region", { name: "Real response" });
  await expect(listed).toContainText("200");
  await expect(listed).toContainText("Tried from the docs");
  await expectAccessible(page);

  // What can't be undone asks first, and needs a token that may do it.
  const removal = await openTrial(page, "deleteHook");
  await createToken(removal);
  await removal.getByRole("textbox", { name: "id", exact: true }).fill(hook.id);
  await removal.getByRole("button", { name: "Send request" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Don't send" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await dashboard.api("GET", `/hooks/${hook.id}`)).toMatchObject({ id: hook.id });
  await removal.getByRole("button", { name: "Send request" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send request" }).click();
  await expect(removal.getByRole("region", { name: "Real response" })).toContainText("204");
  expect(await dashboard.api("GET", "/hooks")).toMatchObject({ data: [] });

  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toContain("cmt_");
});

test("the language of a sample counts for all of them, and is remembered", {
  tag: "@variant",
}, async ({ page }) => {
  await page.goto(address());
  const create = page.locator("#createHook");
  const remove = page.locator("#deleteHook");
  await expect(remove.getByText("curl -s")).toBeVisible();
  await create.getByRole("tab", { name: "Python" }).click();
  await expect(remove.getByText("requests.delete(")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(create.getByRole("tab", { name: "Go" })).toBeFocused();
  await page.reload();
  await expect(create.getByText('http.NewRequest("POST"')).toBeVisible();
  await expect(create.getByText("curl -s")).toBeHidden();
});

test("no table of the docs is cut: it fits a wide screen, and scrolls on a phone", {
  tag: "@variant",
}, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${dashboard.server.origin}/docs`);
  const links = page.getByRole("navigation").getByRole("link");
  const paths = new Set(
    await links.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).pathname)),
  );
  let tables = 0;
  for (const path of paths) {
    await page.goto(`${dashboard.server.origin}${path}`);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page.evaluate(findCutTables);
      if (width > 600) tables += cut.count;
      expect([path, width, ...(width > 600 ? cut.wide : cut.unreachable)]).toEqual([path, width]);
    }
  }
  expect(tables).toBeGreaterThan(50);
});

/** The tables that are wider than their place, and those of them whose end can't be scrolled to. */
function findCutTables() {
  const tables = [...document.querySelectorAll("main table")];
  const wide = tables.filter((table) => {
    const place = table.parentElement ?? table;
    return table.getBoundingClientRect().right > place.getBoundingClientRect().right + 1;
  });
  const name = (table: Element) => (table.textContent ?? "").slice(0, 80);
  const unreachable = wide.filter((table) => {
    const place = table.parentElement ?? table;
    place.scrollLeft = place.scrollWidth;
    return table.getBoundingClientRect().right > place.getBoundingClientRect().right + 1;
  });
  return { count: tables.length, wide: wide.map(name), unreachable: unreachable.map(name) };
}
