import { expect, test } from "vitest";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { endPreviousCatchUrls, rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { sendJson, startTestCatch } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

function rotate(hook: TestHook, input: object) {
  return rotateCatchUrl(testContext(bench.db, hook.accountId), { id: hook.id, ...input });
}

/** The statuses of both processes for a URL. */
async function ask(ports: readonly number[], path: string): Promise<number[]> {
  return Promise.all(ports.map(async (port) => (await sendJson(port, path, { n: 1 })).status));
}

test("after a rotation the new URL works at once, and the old one in every process until it expires", async () => {
  const other = await startTestCatch(bench.url);
  const ports = [bench.caught.port, other.port];
  const hook = await addHook(bench.db);
  const [, , slug] = hook.path.split("/");
  const pathOf = ({ key }: { readonly key: string }) => `/catch/${slug}/${key}`;
  expect(await ask(ports, hook.path)).toEqual([200, 200]);

  const second = await rotate(hook, { keyPrefix: "orders" });
  expect(second.key).toMatch(/^orders-[0-9a-z]{26}$/);
  expect(second.previousKeys.map(({ key }) => key)).toEqual([hook.key]);
  expect(await ask(ports, pathOf(second))).toEqual([200, 200]);
  expect(await ask(ports, hook.path)).toEqual([200, 200]);

  // A cached hook must not outlive the URL that it was found by.
  await bench.db.$executeRaw`
    update hook_previous_keys set expires_at = now() + interval '300 ms' where hook_id = ${hook.id}::uuid`;
  await expect.poll(() => ask(ports, hook.path)).toEqual([404, 404]);

  // Both processes drop their cache on a change, whichever process made it.
  const third = await rotate(hook, { expirePreviousAfterSeconds: 0 });
  expect(third.previousKeys).toEqual([]);
  await expect.poll(() => ask(ports, pathOf(second))).toEqual([404, 404]);
  const fourth = await rotate(hook, {});
  expect(await ask(ports, pathOf(third))).toEqual([200, 200]);
  await endPreviousCatchUrls(testContext(bench.db, hook.accountId), { id: hook.id });
  await expect.poll(() => ask(ports, pathOf(third))).toEqual([404, 404]);
  expect(await ask(ports, pathOf(fourth))).toEqual([200, 200]);
  await other.stop();
});

test("concurrent rotations each give another URL, and at most ten old ones work", async () => {
  const hook = await addHook(bench.db);
  const rotated = await Promise.all(Array.from({ length: 10 }, () => rotate(hook, {})));
  expect(new Set(rotated.map(({ key }) => key)).size).toBe(10);
  await expect(rotate(hook, {})).rejects.toMatchObject({ code: "conflict" });
  expect((await rotate(hook, { expirePreviousAfterSeconds: 0 })).previousKeys).toHaveLength(10);
});
