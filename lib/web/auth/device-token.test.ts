import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { readDeviceToken, writeDeviceToken } from "./device-token.ts";
import { readSessionToken, writeSessionToken } from "./session-token.ts";

const secret = "a secret for tests";

test("a browser is known only to the user who signed in with it", async () => {
  const cookie = await writeDeviceToken("ada@example.com", secret);
  expect(await readDeviceToken(cookie, "ada@example.com", secret)).toMatch(/^[0-9a-f-]{36}$/);
  expect(await readDeviceToken(cookie, "eve@example.com", secret)).toBeNull();
  expect(await readDeviceToken(cookie, "ada@example.com", "another secret")).toBeNull();
  for (const forged of [undefined, "", "x.y.z", cookie.slice(0, -2)])
    expect(await readDeviceToken(forged, "ada@example.com", secret)).toBeNull();
});

test("a device token isn't a session, and a session isn't a device token", async () => {
  const session = await writeSessionToken({ sub: newId(), sid: newId() }, secret);
  expect(await readDeviceToken(session, "ada@example.com", secret)).toBeNull();
  expect(
    await readSessionToken(await writeDeviceToken("ada@example.com", secret), secret),
  ).toBeNull();
});
