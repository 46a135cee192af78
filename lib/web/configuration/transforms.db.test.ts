import { expect, test } from "vitest";
import { fileOf, withConfiguration } from "#lib/web/testing/with-configuration.ts";

const configuration = withConfiguration();
const { api, send, apply } = configuration;

test("a file has the transform of a subscription, and an export plans nothing", async () => {
  const file = (code: string) =>
    fileOf(
      "subscriptions:",
      "  - receiverUrl: https://a.example.com/in",
      "    transform: |",
      `      export default ({ payload }) => ${code}`,
    );
  await apply([file("payload.data")]);
  const { token } = configuration.account;
  const headers = { accept: "application/yaml" };
  const exported = await api.call("GET", "/api/v1/configuration", { token, headers });
  expect(exported.text).toContain("export default ({ payload }) => payload.data");
  expect((await send("plan", [exported.text])).body.items).toEqual([]);
  const changed = await apply([file("null")]);
  expect(changed.items).toMatchObject([{ op: "change", changes: [{ path: "transform" }] }]);
  expect((await send("plan", [file("(")])).status).toBe(400);
});
