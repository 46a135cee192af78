import { expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";
import { authOptions } from "./auth.ts";
import { deviceCookie } from "./device-token.ts";

const api = withApi();

it("over https, every cookie of a sign-in belongs to this host, and no script or other site gets it", () => {
  expect(api.context.isHttps).toBe(true);
  const cookies = [...Object.values(authOptions(() => {}).cookies ?? {}), deviceCookie(true)];
  expect(cookies).toHaveLength(7);
  for (const { name, options } of cookies) {
    expect(name).toMatch(/^__Host-catchment\./);
    // Browsers reject the prefix with a domain or another path.
    expect(options).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax", path: "/" });
    expect(options).not.toHaveProperty("domain");
  }
});
