import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
test.beforeAll(async () => {
  dashboard = await startDashboard("reply");
});
test.afterAll(async () => await dashboard?.stop());

test("a hook replies with the result of an action, and the delivery says so", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Lookup" });
  const send = (id: string) =>
    fetch(hook.catchUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id }),
    });
  await dashboard.open(page, `/hooks/${hook.id}/settings?tab=behavior`);
  const part = page.getByRole("region", { name: "Response" });
  await expect(part.getByRole("link", { name: "Create action" })).toBeVisible();
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Find the contact",
    request: { method: "POST", url: dashboard.receiver.url("/find"), body: { id: "{{ id }}" } },
  });
  dashboard.receiver.respondWith(200, '{"contact": {"id": 7}}');
  await page.reload();
  await part.getByLabel("Reply with an action's result").check();
  await part
    .getByLabel("Body", { exact: true })
    .fill('{"contact": {{ steps.call.body.contact.id }');
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part.getByText(/Body line 1/)).toBeVisible();
  await part
    .getByLabel("Body", { exact: true })
    .fill('{"contact": {{ steps.call.body.contact.id }}}');
  await part.getByLabel("Another reply if the run fails").check();
  await expectAccessible(page);
  await part.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. This applies to new deliveries.")).toBeVisible();

  // Until the catch process knows the setting, and if the worker is late, the response is empty.
  await expect.poll(async () => (await send(crypto.randomUUID())).text()).toBe('{"contact": 7}');
  const { data } = (await dashboard.api("GET", "/deliveries?limit=1")) as {
    data: { id: string }[];
  };
  await expect
    .poll(async () => (await dashboard.api("GET", `/deliveries/${data[0]?.id}`)).reply)
    .toMatchObject({ sentAs: "reply", status: 200 });
  await page.goto(`${dashboard.server.origin}/deliveries/${data[0]?.id}`);
  await expect(
    page.getByText(/The provider got HTTP 200 after .* The hook's action replied\./),
  ).toBeVisible();
  await expect(page.getByText('{"contact": 7}')).toBeVisible();
});
