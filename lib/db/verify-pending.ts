import { type EventRules, findEvents } from "#lib/core/batch/find-events.ts";
import { toDistinctHeaders } from "#lib/core/delivery-context.ts";
import { readByBytes, readEncoded } from "#lib/core/payload/read-by-bytes.ts";
import { hideSealedValues, openSealedValues } from "#lib/core/redact/sealed-value.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { describeVerifyFailure } from "#lib/core/verify/failure.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { SigningKeys } from "#lib/core/verify/signing-key.ts";
import type { NeedsKey, Verdict, Verifier } from "#lib/core/verify/verify.ts";
import { AppError, toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { listSources } from "#lib/schema/hook.ts";
import { toBatch } from "./batch-deliveries.ts";
import type { Database } from "./client.ts";
import type { Prisma } from "./generated/client.ts";
import type { HookRecord } from "./hook-record.ts";
import { createVerifier, findBodyRedaction, openSecrets } from "./hook-verifier.ts";
import { getHook } from "./hooks.ts";
import { lockHook } from "./lock-hook.ts";
import { notifyRunsDue } from "./queue/notify.ts";
import { headersPlace } from "./sealed-headers.ts";
import { recountHours } from "./statistics-roll-up.ts";
import { type NewDelivery, type StoredDelivery, storeDeliveries } from "./store-deliveries.ts";

export type PendingVerification = {
  /** What became of those that were kept; events that came in batches count one by one. */
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  /** What is still kept: all of it where nothing fitted the secret, or what needs a key of the sender that can't be fetched. */
  readonly pending: number;
};

export type VerifyPendingParts = {
  readonly sealer: Sealer;
  /** Of senders that publish theirs. */
  readonly signingKeys: SigningKeys;
  /** Without a trailing slash: some senders sign the URL. */
  readonly publicOrigin: string;
};

/**
 * Verifies what a hook kept while it waited for its secret, as if it arrived again at its own time: over the stored bytes, with the
 * clock of its arrival, de-duplicated by the hook's rule, oldest first. What passes is queued for the hook's actions; what doesn't is
 * rejected with the reason. Each batch is one transaction and takes only what is still pending, so that two calls at once, or one after
 * a crash, never make a run twice.
 *
 * If not one of them fits, it is far likelier that the secret is wrong than that all are forged: then nothing is changed.
 *
 * Throws `not_found`, and `conflict` while the hook still waits.
 */
export async function verifyPending(
  db: Database,
  accountId: string,
  hookId: string,
  parts: VerifyPendingParts,
): Promise<PendingVerification> {
  const hook = await getHook(db, accountId, hookId);
  requireReady(hook);
  const total = { accepted: 0, duplicate: 0, rejected: 0 };
  if (await isWorthwhile(db, hook, parts)) {
    let after = "00000000-0000-0000-0000-000000000000";
    for (let batch = 0; batch < mostBatches; batch += 1) {
      const done = await verifyBatch(db, accountId, hookId, after, parts);
      if (done === null) break;
      after = done.lastId;
      for (const status of ["accepted", "duplicate", "rejected"] as const) total[status] += done[status];
    }
  }
  if (total.accepted > 0) notifyRunsDue(db);
  return { ...total, pending: await countPending(db, accountId, hookId) };
}

/** How many deliveries of a hook are kept unverified. */
export async function countPending(db: Database, accountId: string, hookId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from deliveries
    where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and status = 'pending'`;
  return row?.count ?? 0;
}

/** More than a hook can keep, in batches of as much as one statement takes well. */
const mostBatches = 200;
const batchRows = 100;
const batchBytes = 8 * 1024 * 1024;

function requireReady(hook: HookRecord): void {
  if (hook.pending === null) return;
  throw new AppError(
    "conflict",
    "This hook still waits for what it verifies with. Add its signing secret, then verify what was kept.",
  );
}

type PendingRow = {
  readonly id: string;
  readonly received_at_ms: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: string;
  readonly content_type: string | null;
  readonly body: Uint8Array;
  readonly source_ip: string;
};

type Reader = Pick<Prisma.TransactionClient, "$queryRaw" | "hookSecret">;

/** The next ones by id; one is read whatever its size. The lock on the hook keeps a second call from taking them too. */
function readPending(db: Reader, hookId: string, after: string): Promise<readonly PendingRow[]> {
  return db.$queryRaw<PendingRow[]>`
    with next as (
      select id, sum(body_size) over (order by id) as bytes, row_number() over (order by id) as position from (
        select id, body_size from deliveries
        where hook_id = ${hookId}::uuid and status = 'pending' and id > ${after}::uuid
        order by id limit ${batchRows}::int
      ) of_hook
    )
    select d.id, (extract(epoch from d.received_at) * 1000)::float8 as received_at_ms, d.method, d.path, d.query,
      d.headers::text as headers, d.content_type, d.body, d.source_ip
    from next cross join lateral (select * from deliveries where id = next.id and status = 'pending' limit 1) d
    where next.position = 1 or next.bytes <= ${batchBytes}::int
    order by d.id`;
}

async function isWorthwhile(db: Database, hook: HookRecord, parts: VerifyPendingParts): Promise<boolean> {
  const { verifier } = await prepare(db, hook, parts);
  if (verifier === null) return true;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await readPending(db, hook.id, after);
    const last = rows.at(-1);
    if (last === undefined) return false;
    after = last.id;
    for (const row of rows) {
      const verdict = await unlessItThrows(row, () => verify(hook, verifier, row, parts));
      if (verdict?.outcome === "verified") return true;
    }
  }
}

type Done = Omit<PendingVerification, "pending"> & { readonly lastId: string };

/** Null: none is left. */
function verifyBatch(
  db: Database,
  accountId: string,
  hookId: string,
  after: string,
  parts: VerifyPendingParts,
): Promise<Done | null> {
  return db.$transaction(
    async (tx) => {
      const hook = await lockHook(tx, accountId, hookId);
      requireReady(hook);
      const rows = await readPending(tx, hookId, after);
      const last = rows.at(-1);
      if (last === undefined) return null;
      const prepared = await prepare(tx, hook, parts);
      const judged = await Promise.all(
        rows.map((row) => unlessItThrows(row, () => judge(hook, prepared, row, parts))),
      );
      const settled = judged.flatMap((delivery) => delivery ?? []);
      // Their places are taken by the same deliveries, judged: the statement of the catch path makes keys and runs of them.
      await tx.$executeRaw`delete from deliveries where id = any (${settled.map(({ id }) => id)}::uuid[])`;
      const stored = settled.length === 0 ? [] : await storeDeliveries(tx, settled);
      await recountHours(
        tx,
        settled.map(({ id }) => id),
      );
      return { ...count(settled, stored), lastId: last.id };
    },
    { timeout: 60_000 },
  );
}

/** Null: one that surprises us stays as it was kept. The others must not wait for it. */
async function unlessItThrows<T>(row: PendingRow, look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    log.error("pending.not_verified", { deliveryId: row.id, error: toError(error) });
    return null;
  }
}

function count(
  judged: readonly NewDelivery[],
  stored: readonly StoredDelivery[],
): Omit<PendingVerification, "pending"> {
  const rejected = judged.filter(({ status }) => status === "rejected").length;
  const events = stored.flatMap(({ events: parts, ...one }) => parts ?? [one]);
  const duplicate = events.filter(({ duplicateOf }) => duplicateOf !== null).length;
  return { rejected, duplicate, accepted: events.length - duplicate - rejected };
}

/** `clean` takes out of a verified body what only its sender and the hook should know. */
type Prepared = {
  readonly verifier: Verifier | null;
  readonly clean: (body: Uint8Array) => Uint8Array;
};

async function prepare(db: Reader, hook: HookRecord, { sealer }: VerifyPendingParts): Promise<Prepared> {
  const secrets = await db.hookSecret.findMany({
    where: { hookId: hook.id, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
    orderBy: { id: "desc" },
    select: { id: true, ciphertext: true },
  });
  const stored = { ...hook, secrets };
  const opened = openSecrets(stored, sealer);
  return {
    verifier: createVerifier(stored, opened),
    clean: findBodyRedaction(stored, opened) ?? ((body) => body),
  };
}

async function verify(
  hook: HookRecord,
  verifier: Verifier,
  row: PendingRow,
  { sealer, signingKeys, publicOrigin }: VerifyPendingParts,
): Promise<Verdict | NeedsKey> {
  const place = headersPlace(hook.accountId, row.id);
  const pairs = JSON.parse(row.headers) as readonly (readonly [string, string])[];
  const opened = pairs.map(([name, value]) => [name, openSealedValues(sealer, value, place)] as const);
  const query = openSealedValues(sealer, row.query, place);
  const url = `${publicOrigin}/catch/${hook.accountSlug}/${hook.key}${row.path}${query === "" ? "" : `?${query}`}`;
  const request = { method: row.method, url, headers: toDistinctHeaders(opened), body: row.body, query };
  const verdict = verifier(request, row.received_at_ms, signingKeys.find);
  if (verdict.outcome !== "needsKey") return verdict;
  await signingKeys.load(verdict.source, keyWaitMs);
  return verifier(request, row.received_at_ms, signingKeys.find);
}

const keyWaitMs = 2_000;

/** Null: it can't be told yet. */
async function judge(
  hook: HookRecord,
  { verifier, clean }: Prepared,
  row: PendingRow,
  parts: VerifyPendingParts,
): Promise<NewDelivery | null> {
  const verdict = verifier === null ? null : await verify(hook, verifier, row, parts);
  if (verdict?.outcome === "needsKey") return null;
  const whole = toWhole(hook, row, verdict);
  if (verdict?.outcome === "failed") {
    return {
      ...whole,
      status: "rejected",
      reason: verdict.reason,
      detail: describeVerifyFailure(verdict.reason, verdict),
    };
  }
  const body = clean(row.body);
  const headers = toDistinctHeaders(JSON.parse(row.headers) as readonly (readonly [string, string])[]);
  const encoding = headers["content-encoding"]?.join(", ") ?? null;
  const read = await readEncoded(body, row.content_type, encoding);
  const payload = verifier === null ? read.payload : readByBytes(read.bytes, read.payload);
  const found = findEvents(readRules(hook), { headers, body, payload });
  const verified = { ...whole, body };
  const batch = found.parts === null ? null : toBatch(verified, found.parts);
  return batch ?? { ...verified, ...found.whole };
}

function readRules(hook: HookRecord): EventRules {
  const batch = hook.splitBatches ? (findProvider(hook.provider)?.batch ?? null) : null;
  return { dedupe: listSources(hook.dedupe), eventType: listSources(hook.eventType), batch };
}

function toWhole(hook: HookRecord, row: PendingRow, verdict: Verdict | null): NewDelivery {
  return {
    id: row.id,
    accountId: hook.accountId,
    hookId: hook.id,
    status: "accepted",
    reason: null,
    detail: null,
    receivedAtMs: Math.round(row.received_at_ms),
    method: row.method,
    path: row.path,
    query: hideSealedValues(row.query),
    headersJson: hideSealedValues(row.headers),
    contentType: row.content_type,
    body: row.body,
    eventId: null,
    eventType: null,
    keyHash: null,
    verificationOutcome: verdict?.outcome ?? "not_configured",
    verificationScheme: verdict?.scheme ?? null,
    sourceIp: row.source_ip,
  };
}
