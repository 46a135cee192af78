import { openAuditKey } from "#lib/core/people/audit/audit-key.ts";
import { nameHead } from "#lib/core/people/audit/chain.ts";
import type { NotedHead } from "#lib/core/people/audit/verify-chain.ts";
import { ChainVerifier } from "#lib/core/people/audit/verify-chain.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  listHeadless,
  listHeads,
  readEntriesAfter,
  type SealedHead,
} from "#lib/db/audit/audit-log.ts";
import { createDatabase, type Database, type Transaction } from "#lib/db/postgres/client.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { StartError } from "#server/system/start-error.ts";
import { requireSealer } from "../frame/audit-command.ts";
import { type CommandInput, type ExitCode, textValue } from "../frame/command.ts";
import { withDatabase } from "../frame/database-access.ts";

/**
 * Verifies the audit logs of all accounts. Prints what was found for each, and its head, which someone
 * who keeps it elsewhere can give to a later call.
 */
export async function runAuditVerify(input: CommandInput): Promise<ExitCode> {
  const env = input.readEnv();
  const noted = readNotedHead(textValue(input, "head"));
  return await withDatabase(env, async (access) => {
    // During a rotation of the secret key, some logs have their keys sealed with the one before.
    const sealer = requireSealer(env, access);
    // Reports in one sentence what is wrong with the database address.
    await withConnection(access.url, async () => undefined);
    const applicationName = "catchment audit verify";
    const db = createDatabase({ url: access.url, poolSize: 1, applicationName });
    try {
      const results = await verifyAll(db, sealer, noted);
      for (const result of results) input.output.result(toReport(result));
      return results.every(({ findings }) => findings.length === 0) ? 0 : 1;
    } finally {
      await db.$disconnect();
    }
  });
}

type Noted = NotedHead & { readonly accountId: string };

/** `account:seq:mac`, as the log and this command write it. */
function readNotedHead(text: string | undefined): Noted | null {
  if (text === undefined) return null;
  const [, accountId = "", seq = "", mac = ""] =
    /^([0-9a-f-]{36}):(\d{1,18}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (accountId === "")
    throw new StartError(
      "--head is a head as this command prints it and the log has it: account, number, and code.",
    );
  return { accountId, seq: BigInt(seq), mac: Buffer.from(mac, "hex") };
}

type Verified = {
  readonly accountId: string;
  /** Null: the account was deleted. */
  readonly slug: string | null;
  readonly count: number;
  readonly findings: readonly string[];
  readonly head: string | null;
};

async function verifyAll(
  db: Database,
  sealer: Sealer,
  noted: Noted | null,
): Promise<readonly Verified[]> {
  // One snapshot, so that entries that are written meanwhile aren't taken for strange ones.
  return await db.$transaction(
    async (tx) => {
      const heads = await listHeads(tx);
      const results: Verified[] = [];
      for (const head of heads) results.push(await verifyOne(tx, sealer, { head, noted }));
      const missing = await listHeadless(tx);
      if (noted !== null && ![...heads, ...missing.map(toId)].some(isOf(noted))) {
        const findings = ["The whole log is missing: a head of it was noted."];
        results.push({ ...(await nameAccount(tx, noted.accountId)), ...nothing, findings });
      }
      for (const accountId of missing) {
        const findings = ["The head is missing, so no entry can be verified."];
        results.push({ ...(await nameAccount(tx, accountId)), ...nothing, findings });
      }
      return results;
    },
    { isolationLevel: "RepeatableRead", timeout: 3_600_000 },
  );
}

const nothing = { count: 0, head: null } as const;
const toId = (accountId: string) => ({ accountId });
const isOf = (noted: Noted) => (each: { accountId: string }) => each.accountId === noted.accountId;

const batchSize = 1_000;

async function verifyOne(
  tx: Transaction,
  sealer: Sealer,
  { head, noted }: { readonly head: SealedHead; readonly noted: Noted | null },
): Promise<Verified> {
  const { accountId } = head;
  const account = await nameAccount(tx, accountId);
  const key = openAuditKey(sealer, head);
  if (key === null) {
    const findings = ["Its key was changed, or sealed with another secret key."];
    return { ...account, ...nothing, findings };
  }
  const verifier = new ChainVerifier(key, head, noted?.accountId === accountId ? noted : null);
  let seq = -1n;
  for (;;) {
    const entries = await readEntriesAfter(tx, accountId, { seq, limit: batchSize });
    for (const entry of entries) verifier.add(entry);
    if (entries.length < batchSize) break;
    seq = entries.at(-1)?.seq ?? seq;
  }
  return { ...account, ...verifier.end(), head: nameHead(head) };
}

async function nameAccount(tx: Transaction, accountId: string) {
  const account = await tx.account.findUnique({ where: { id: accountId } });
  return { accountId, slug: account?.slug ?? null };
}

function toReport({ accountId, slug, count, findings, head }: Verified): string {
  const name = slug === null ? `${accountId} (deleted account)` : slug;
  const entries = count === 1 ? "1 entry" : `${count} entries`;
  if (findings.length === 0) return `${name}: ${entries}, as they were written.\n  Head ${head}`;
  return [`${name}: CHANGED. ${entries}.`, ...findings.map((each) => `  - ${each}`)].join("\n");
}
