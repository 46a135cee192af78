import { expect, test } from "vitest";
import { decryptWithPassphrase, encryptWithPassphrase } from "./passphrase.ts";

test("a text opens with its passphrase only, and not if any part of its box was changed", {
  tags: "variant",
}, async () => {
  const box = await encryptWithPassphrase("the key", "correct horse battery — ü");
  expect(JSON.stringify(box)).not.toContain("the key");
  expect(await decryptWithPassphrase(box, "correct horse battery — u\u0308")).toBe("the key");
  expect(await decryptWithPassphrase(box, "correct horse battery")).toBeNull();
  const other = await encryptWithPassphrase("the key", "correct horse battery — ü");
  for (const field of ["salt", "nonce", "tag", "ciphertext"] as const) {
    expect(other[field]).not.toBe(box[field]);
    expect(
      await decryptWithPassphrase({ ...box, [field]: other[field] }, "correct horse battery — ü"),
    ).toBeNull();
  }
  const short = { ...box, tag: Buffer.from(box.tag, "base64").subarray(0, 4).toString("base64") };
  expect(await decryptWithPassphrase(short, "correct horse battery — ü")).toBeNull();
});
