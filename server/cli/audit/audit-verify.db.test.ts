import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { nameHead } from "#lib/core/people/audit/chain.ts";
import { listHeads, readEntriesAfter } from "#lib/db/audit/audit-log.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { postHeadsJob, sweepAuditJob } from "#lib/jobs/kinds/audit.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { runInProcess } from "../testing/run-in-process.ts";

const secretKey = "a secret for tests that is long enough";
const sealer = openSealer(secretKey);
const opened = withDatabase();
/** Someone with the database's password, whose role owns the tables. */
let attacker: Client;
beforeAll(async () => {
  attacker = new Client({ connectionString: opened.url });
  await attacker.connect();
});
afterAll(() => attacker?.end());

/** An account whose audit log has some entries, from 100 days ago on. */
async function addLog(slug: string, entries = 6): Promise<string> {
  const accountId = newId();
  await opened.db.account.create({ data: { id: accountId, slug, name: slug } });
  await addEntries(accountId, entries);
  return accountId;
}

async function addEntries(accountId: string, count: number): Promise<void> {
  const context = testContext(opened.db, accountId, { sealer });
  for (let index = 1; index <= count; index += 1) {
    const at = new Date(Date.now() - (100 - index) * 86_400_000);
    const entry = { event: "hook.created", targets: [{ type: "hook", id: `hook-${index}` }] };
    await auditWithoutChange({ ...context, now: () => at }, entry);
  }
}

async function headOf(id: string): Promise<string> {
  const head = (await listHeads(opened.db)).find(({ accountId }) => accountId === id);
  if (head === undefined) throw new Error("There is no head");
  return nameHead(head);
}

/** Statements of the attacker, with the triggers off, as the owner of the tables can. `$1` is the account. */
async function attack(accountId: string, ...statements: readonly string[]): Promise<void> {
  const toggle = (how: string) =>
    attacker.query(
      `alter table audit_entries ${how} trigger user; alter table audit_chains ${how} trigger user`,
    );
  await toggle("disable");
  for (const statement of statements) await attacker.query(statement, [accountId]);
  await toggle("enable");
}

const verify = (...args: string[]) =>
  runInProcess(
    { DATABASE_URL: opened.url, CATCHMENT_SECRET_KEY: secretKey },
    "audit",
    "verify",
    ...args,
  );

const where = "where account_id = $1::uuid";
/** Copies the code of an entry, as if it had been the newest. */
const moveHead = (seq: number) =>
  `update audit_chains c set seq = ${seq}, mac = e.mac from audit_entries e
   where c.account_id = $1::uuid and e.account_id = c.account_id and e.seq = ${seq}`;

const attacks = {
  changed: {
    statements: [`update audit_entries set actor_name = 'eve@example.com' ${where} and seq = 3`],
    found: ["Entry 3 was changed, or moved here from another place."],
  },
  removed: {
    statements: [`delete from audit_entries ${where} and seq in (3, 4)`],
    found: ["Entries 3 to 4 are missing."],
  },
  renumbered: {
    statements: [
      `delete from audit_entries ${where} and seq = 3`,
      `update audit_entries set seq = seq - 1 ${where} and seq > 3`,
      moveHead(5),
    ],
    found: [
      "Entries 3 to 5 were changed, or moved here from another place.",
      "The head, which says that 5 is the newest entry, was changed.",
    ],
  },
  reordered: {
    statements: [
      `update audit_entries set seq = case seq when 3 then 104 else 103 end ${where} and seq in (3, 4)`,
      `update audit_entries set seq = seq - 100 ${where} and seq > 100`,
    ],
    found: ["Entries 3 to 5 were changed, or moved here from another place."],
  },
  truncated: {
    statements: [`delete from audit_entries ${where} and seq > 4`, moveHead(4)],
    found: ["The head, which says that 4 is the newest entry, was changed."],
  },
  "cut-off": {
    statements: [`delete from audit_entries ${where} and seq > 4`],
    found: ["Entries 5 to 6 are missing."],
  },
  beheaded: {
    statements: [`delete from audit_chains ${where}`],
    found: ["The head is missing, so no entry can be verified."],
  },
  rekeyed: {
    statements: [
      `update audit_chains set key_ciphertext = (select key_ciphertext from audit_chains where account_id <> $1::uuid limit 1) ${where}`,
    ],
    found: ["Its key was changed, or sealed with another secret key."],
  },
  expired: {
    statements: [
      `delete from audit_entries ${where} and seq < 4`,
      `update audit_chains set kept_after = 3, kept_mac = mac, checkpoint_mac = mac ${where}`,
    ],
    found: ["Entries 1 to 3 were removed, and not by their retention: its checkpoint was changed."],
  },
  borrowed: {
    statements: [
      `update audit_entries t set targets = s.targets, target_ids = s.target_ids, mac = s.mac from audit_entries s
       where t.account_id = $1::uuid and t.seq = 6 and s.account_id = t.account_id and s.seq = 2`,
    ],
    found: [
      "Entry 6 was changed, or moved here from another place.",
      "Entry 6 isn't the one that the head refers to.",
    ],
  },
} as const;

test("an attacker with the database's password is found by any change, and only there", async () => {
  const untouched = await addLog("untouched");
  for (const [name, { statements }] of Object.entries(attacks)) {
    const accountId = await addLog(name);
    expect(verifiable(await headOf(accountId))).toBe(true);
    await attack(accountId, ...statements);
  }
  const { status, stdout } = await verify();
  expect(status).toBe(1);
  const blocks = new Map(
    stdout.split(/\n(?! )/).map((block) => [block.slice(0, block.indexOf(":")), block] as const),
  );
  expect(blocks.get("untouched")).toBe(
    `untouched: 6 entries, as they were written.\n  Head ${await headOf(untouched)}`,
  );
  for (const [name, { found }] of Object.entries(attacks)) {
    const [first = "", ...findings] = blocks.get(name)?.trimEnd().split("\n") ?? [];
    expect(first).toContain(`${name}: CHANGED.`);
    expect(findings, name).toEqual(found.map((each) => `  - ${each}`));
  }
});

const verifiable = (head: string) => /^[0-9a-f-]{36}:6:[0-9a-f]{64}$/.test(head);

test("an older copy of a log, and one that was emptied, are found with a head from elsewhere", async () => {
  const id = await addLog("rolled-back", 3);
  const copy = await attacker.query("select * from audit_chains where account_id = $1", [id]);
  await addEntries(id, 2);
  const noted = await headOf(id);
  const { seq, mac, head_mac } = copy.rows[0];
  await attack(id, `delete from audit_entries ${where} and seq > 3`);
  await attacker.query("alter table audit_chains disable trigger user");
  await attacker.query(
    "update audit_chains set seq = $2, mac = $3, head_mac = $4 where account_id = $1",
    [id, seq, mac, head_mac],
  );
  await attacker.query("alter table audit_chains enable trigger user");
  expect((await verify()).stdout).toContain("rolled-back: 3 entries, as they were written.");
  const found = (await verify("--head", noted)).stdout;
  expect(found).toContain("rolled-back: CHANGED");
  expect(found).toContain("  - Entry 5 was noted as the newest one, and is missing.");
  // Catchment continues, and what it writes doesn't hide the loss.
  await addEntries(id, 2);
  expect((await verify("--head", noted)).stdout).toContain(
    "  - Entry 5 isn't the one that was noted: the log was written again.",
  );
  await attack(id, `delete from audit_entries ${where}`, `delete from audit_chains ${where}`);
  expect((await verify("--head", noted)).stdout).toContain("The whole log is missing");
  expect((await verify("--head", "5")).stderr).toContain(
    "--head is a head as this command prints it",
  );
});

test("retention removes the oldest entries, and the rest can still be verified", async () => {
  const id = await addLog("kept", 40);
  const forged = await addLog("made-older", 5);
  await addEntries(forged, 0);
  // Retention would remove what someone wants to hide, and its checkpoint would vouch for it.
  await attack(forged, `update audit_entries set at = '2000-01-01' ${where} and seq < 4`);
  const db = createSqlDatabase({ url: opened.url, poolSize: 2, applicationName: "test" });
  await sweepAuditJob({ db, sealer, auditRetentionDays: 75 }).work(new AbortController().signal);
  await postHeadsJob({ db, sealer, auditRetentionDays: 75 }).work(new AbortController().signal);
  await db.$disconnect();
  const kept = await readEntriesAfter(opened.db, id, { seq: 0n, limit: 100 });
  expect([kept[0]?.seq, kept.length]).toEqual([26n, 15]);
  const { stdout } = await verify();
  expect(stdout).toContain("kept: 15 entries, as they were written.");
  expect(stdout).toContain("  - Entries 1 to 3 were changed, or moved here from another place.");
  const rows = await opened.db.auditEntry.count({ where: { accountId: forged } });
  expect(rows).toBe(5);
  await addEntries(id, 1);
  expect((await verify()).stdout).toContain("kept: 16 entries, as they were written.");
});
