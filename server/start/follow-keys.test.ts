import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { replaceSecretKey, resolveSecretKey } from "#server/system/secret-key.ts";
import { followKeys, type KeyPair } from "./follow-keys.ts";

test("a key that was replaced while the processes started is followed too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = resolveSecretKey(folder, undefined, false);
  replaceSecretKey(folder);
  const changes: KeyPair[] = [];
  const following = followKeys(folder, first, async (keys) => void changes.push(keys));
  onTestFinished(() => following.stop());
  const second = resolveSecretKey(folder, undefined, true);
  await expect.poll(() => changes).toEqual([{ secretKey: second, previousSecretKey: first }]);
});
