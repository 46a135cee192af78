import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { decryptWithPassphrase, passphraseBoxSchema } from "#lib/core/people/seal/passphrase.ts";
import { markAccountDeleted } from "#lib/db/accounts/delete-account.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { fillAccount } from "#lib/services/testing/fill-account.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { threadScripts } from "#server/system/paths.ts";
import { commands } from "../commands.ts";
import { runCommand } from "../frame/run-command.ts";

/** Two installations with keys of their own. */
const keys = {
  old: "a secret for tests that is long enough",
  new: "another secret that is long enough too",
};
type Side = keyof typeof keys;
const databases = {} as Record<Side, TestDatabase>;
const db = {} as Record<Side, Database>;
const folder = mkdtempSync(join(tmpdir(), "catchment-configuration-"));
const passphraseFile = join(folder, "passphrase");
const withSecrets = ["--secrets-passphrase-file", passphraseFile];

beforeAll(async () => {
  writeFileSync(passphraseFile, "correct horse battery\n");
  Object.assign(globalThis, { catchmentThreadScript: pathToFileURL(threadScripts.web) });
  for (const side of ["old", "new"] as const) {
    databases[side] = await createTestDatabase();
    db[side] = createDatabase({ url: databases[side].url, poolSize: 2, applicationName: "test" });
  }
  await fillAccount(await addAccount("old", "acme"));
});
afterAll(async () => {
  for (const side of ["old", "new"] as const) {
    await db[side]?.$disconnect();
    await databases[side]?.drop();
  }
  rmSync(folder, { recursive: true });
});

async function addAccount(side: Side, slug: string): Promise<ServiceContext> {
  const id = newId();
  await db[side].account.create({ data: { id, slug, name: slug } });
  return testContext(db[side], id, { sealer: openSealer(keys[side]) });
}

/** Runs a command as `npm run server` does, with the environment of one installation. */
async function run(side: Side, ...args: string[]) {
  vi.stubEnv("DATABASE_URL", databases[side].url);
  vi.stubEnv("CATCHMENT_SECRET_KEY", keys[side]);
  const printed = { stdout: "", stderr: "" };
  const status = await runCommand(commands, args, {
    result: (text) => {
      printed.stdout += `${text}\n`;
    },
    note: (text) => {
      printed.stderr += `${text}\n`;
    },
  });
  return { status, ...printed };
}

async function countRows(side: Side) {
  const { hook, action, credential, subscription, auditEntry } = db[side];
  const tables = [hook, action, credential, subscription, auditEntry];
  return await Promise.all(tables.map((table) => (table as typeof hook).count()));
}

type File = Record<string, unknown> & { hooks: Record<string, unknown>[] };
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as File;

async function openSecrets({ secrets }: File): Promise<unknown> {
  const box = passphraseBoxSchema.parse(secrets);
  return JSON.parse((await decryptWithPassphrase(box, "correct horse battery")) ?? "");
}

test("a configuration is the same after its import into another installation", {
  tags: "variant",
}, async () => {
  const [file, again] = [join(folder, "a.json"), join(folder, "b.json")];
  const exported = await run("old", "export", file, ...withSecrets);
  expect([exported.status, exported.stderr]).toEqual([0, ""]);
  expect(exported.stdout).toContain("Wrote the configuration of acme");
  const text = readFileSync(file, "utf8");
  for (const secret of ["token-of", "key-of", "header-of", "whsec_", "/T0"])
    expect(text).not.toContain(secret);
  expect(text).toContain("12345678901234567890.10");

  const target = await addAccount("new", "beta");
  const shown = await run("new", "import", file, ...withSecrets);
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/^Would add to beta:\n {2}credential "API"\n/);
  expect(shown.stdout).toContain('  hook "Orders #2"\n');
  expect(shown.stdout).toContain("Nothing was changed. To import it, add --apply.");
  expect(await countRows("new")).toEqual([0, 0, 0, 0, 0]);

  const keep = ["--apply", "--keep-catch-urls"];
  const imported = await run("new", "import", file, ...withSecrets, ...keep);
  expect([imported.status, imported.stderr]).toEqual([0, ""]);
  expect(imported.stdout).toContain("Imported.");
  expect((await countRows("new")).slice(0, 4)).toEqual([3, 2, 1, 2]);

  expect((await run("new", "export", again, ...withSecrets)).status).toBe(0);
  const [before, after] = [read(file), read(again)];
  expect({ ...after, secrets: null }).toEqual({ ...before, secrets: null });
  expect(await openSecrets(after)).toEqual(await openSecrets(before));

  const repeated = await run("new", "import", file, ...withSecrets, "--apply", "--json");
  expect(JSON.parse(repeated.stdout)).toMatchObject({ added: [], changed: [], kept: [], toDo: [] });
  const { accountId } = target.actor;
  const entries = await db.new.auditEntry.findMany({ where: { accountId } });
  expect(new Set(entries.map(({ actorName }) => actorName))).toEqual(new Set(["Command line"]));
  expect(entries.map(({ event }) => event)).toContain("configuration.imported");
});

test("without secrets, the file says what is missing, and what is added manually is enough", {
  tags: "variant",
}, async () => {
  const file = join(folder, "plain.json");
  expect((await run("old", "export", file)).status).toBe(0);
  await addAccount("new", "gamma");
  const inGamma = ["--account", "gamma"];
  const rejected = await run("new", "import", file, ...inGamma, "--apply");
  expect(rejected.status).toBe(1);
  expect(rejected.stderr).toContain("credentials.0.auth: has no secret, and the account has no");
  expect(rejected.stderr).toContain("alertChannels.0.url: isn't in the file");
  expect(rejected.stderr).not.toContain("destinations.0");

  const whole = read(file);
  whole.credentials = [
    { name: "API", origin: "https://api.example.com", auth: { type: "bearer", token: "t" } },
  ];
  whole.alertChannels = [];
  whole.alertRules = [];
  writeFileSync(file, JSON.stringify(whole));
  const imported = await run("new", "import", file, ...inGamma, "--apply");
  expect([imported.status, imported.stderr]).toEqual([0, ""]);
  expect(imported.stdout).toContain(
    'hook "Payments", action "Forward" is disabled: enter the credentials of call and enable it.',
  );
  expect(imported.stdout).toContain("enter its headers x-tenant.");
  const forward = await db.new.action.findFirst({
    where: { name: "Forward", account: { slug: "gamma" } },
  });
  expect(forward?.enabled).toBe(false);

  const [payments] = whole.hooks;
  writeFileSync(file, JSON.stringify({ ...whole, hooks: [{ ...payments, ratePerSecond: 70 }] }));
  const changed = await run("new", "import", file, ...inGamma, "--json");
  expect(JSON.parse(changed.stdout)).toMatchObject({
    added: [],
    changed: ['hook "Payments": ratePerSecond'],
    kept: ['hook "Orders"', 'hook "Orders #2"'],
  });
});

test("a broken file changes nothing, and every error says where it is", async () => {
  const file = join(folder, "broken.json");
  await addAccount("new", "delta");
  const before = await countRows("new");
  const call = { method: "POST", url: "https://a.example.com/{{ ", destination: "Nowhere" };
  const importFile = async (content: unknown) => {
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return await run("new", "import", file, "--account", "delta", "--apply");
  };
  const format = "catchment.configuration/1";
  const good = { name: "Good" };
  const wrongForm = await importFile({ format, hooks: [good, { name: 7, hue: "red" }] });
  expect(wrongForm).toMatchObject({ status: 1, stdout: "" });
  expect(wrongForm.stderr).toContain("Nothing was imported. Change this in");
  expect(wrongForm.stderr).toContain("  hooks.1.name: must be");
  expect(wrongForm.stderr).toContain("  hooks.1.hue: Unknown field");

  const wrongRules = await importFile({
    format,
    hooks: [
      { ...good, actions: [{ name: "Call", request: call }] },
      { name: "Other", provider: "strip" },
    ],
    eventTypes: [{ name: "a.b", schema: { type: "nothing" } }],
  });
  expect(wrongRules.stderr).toContain(
    '  hooks.0.actions.0.request.destination: there is no destination "Nowhere"',
  );
  expect(wrongRules.stderr).toContain("  hooks.1.provider: ");
  expect(wrongRules.stderr).toContain("  eventTypes.0.schema");
  expect(await countRows("new")).toEqual(before);

  expect((await importFile("{")).stderr).toContain("the text is not valid JSON");
  expect((await importFile({ format: "x" })).stderr).toContain(`format: must be "${format}"`);
  const several = await run("new", "import", file);
  expect(several.status).toBe(1);
});

test("an account that is being removed is none", async () => {
  const { actor } = await addAccount("old", "gone");
  await db.old.$transaction((tx) => markAccountDeleted(tx, actor.accountId));
  const only = await run("old", "export", join(folder, "only.json"));
  expect([only.status, only.stderr]).toEqual([0, ""]);
});
