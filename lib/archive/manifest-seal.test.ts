import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { type Manifest, manifestSchema } from "./format.ts";
import { requireTrusted, sealManifest } from "./manifest-seal.ts";

const secret = "a secret for tests that is long enough";
const sealer = openSealer(secret);
const other = openSealer("the secret of another installation");
const sha256 = "b".repeat(64);
const part = { name: "runs/000001.ndjson.zst", rows: 1, bytes: 9, fileBytes: 9, sha256 };
const columns = [{ name: "id", type: "uuid" }];
const manifest: Manifest = {
  format: "catchment-archive",
  version: 1,
  id: newId(),
  week: "2026-08-24",
  createdAt: "2026-11-28T00:00:00.000Z",
  serverVersion: "17",
  migrations: ["one"],
  tables: [{ name: "runs", columns, rows: 1, parts: [part] }],
};
const sealed = sealManifest(manifest, sealer);
const withPart = (change: object) => ({
  ...sealed,
  tables: [{ name: "runs" as const, columns, rows: 1, parts: [{ ...part, ...change }] }],
});

type Trust = Parameters<typeof requireTrusted>[1];

function check(given: Manifest, trust: Partial<Trust> = {}): void {
  // As it is read from its file.
  const read = manifestSchema.parse(JSON.parse(JSON.stringify(given)));
  requireTrusted({ manifest: read, sha256 }, { sealer, knownSha256: null, ...trust });
}

test("a manifest is trusted by this database's checksum, or else by its signature", () => {
  expect(() => check(manifest, { knownSha256: sha256 })).not.toThrow();
  expect(() => check(sealed)).not.toThrow();
  const rotated = openSealer("a new secret that is long enough", secret);
  expect(() => check(sealed, { sealer: rotated })).not.toThrow();
  expect(() => check(manifest, { trustsUnsigned: true })).not.toThrow();
});

const unknown = { knownSha256: "c".repeat(64) };

test.each<[string, Manifest, Partial<Trust>, string]>([
  ["another checksum", sealed, unknown, "This database knows another checksum"],
  [
    "another checksum, also if trusted",
    sealed,
    { ...unknown, trustsUnsigned: true },
    "knows another",
  ],
  ["no signature", manifest, {}, "isn't signed"],
  ["another server's signature", sealManifest(manifest, other), {}, "another secret key"],
  ["another archive's signature", { ...sealed, id: newId() }, {}, "doesn't match"],
  ["another week", { ...sealed, week: "2026-08-31" }, {}, "doesn't match"],
  ["another time", { ...sealed, createdAt: "2026-11-29T00:00:00.000Z" }, {}, "doesn't match"],
  ["a table less", { ...sealed, tables: [] }, {}, "doesn't match"],
  ["another part", withPart({ sha256: "d".repeat(64) }), {}, "doesn't match"],
  ["other columns", { ...sealed, migrations: [] }, {}, "doesn't match"],
  ["a signature that isn't one", { ...sealed, seal: "AAAA" }, {}, "doesn't match"],
])("one with %s is refused", (_what, given, trust, reason) => {
  expect(() => check(given, trust)).toThrow(reason);
});

test("no part may ask for more memory than the largest row", () => {
  expect(manifestSchema.safeParse(withPart({ bytes: 2 ** 40 })).success).toBe(false);
});
