import { randomBytes } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import {
  subscriptionHeadersPlace,
  subscriptionSecretPlace,
} from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { Database } from "#lib/db/postgres/client.ts";

type TestSubscription = {
  readonly id: string;
  readonly accountId: string;
  /** The text of its first secret. */
  readonly secret: string;
};

type SubscriptionOptions = {
  readonly receiverUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly filter?: object;
  readonly retry?: object;
  readonly rate?: { readonly count: number; readonly perSeconds: number };
  readonly maxConcurrency?: number;
  readonly ordered?: boolean;
};

/** Adds subscriptions and events to a database independently, without matching them. */
export function sendFixture(db: Database, sealer: Sealer) {
  async function addSubscription(
    accountId: string,
    options: SubscriptionOptions = {},
  ): Promise<TestSubscription> {
    const id = newId();
    const { receiverUrl = "https://receiver.example/in", rate, ordered = false } = options;
    const { filter, retry, headers, maxConcurrency } = options;
    const sealed =
      headers === undefined
        ? null
        : sealer.seal(
            Buffer.from(JSON.stringify(headers)),
            subscriptionHeadersPlace({ id, accountId }),
          );
    await db.subscription.create({
      data: {
        id,
        accountId,
        receiverUrl,
        ordered,
        eventTypes: ["*"],
        rateCount: rate?.count ?? null,
        rateSeconds: rate?.perSeconds ?? null,
        maxConcurrency: maxConcurrency ?? null,
        headersCiphertext: sealed === null ? null : new Uint8Array(sealed),
        ...(filter && { filter }),
        ...(retry && { retry }),
        patterns: { create: { accountId, pattern: "*" } },
      },
    });
    const secret = await addSecret({ id, accountId });
    return { id, accountId, secret };
  }

  /** Adds a secret, by which the next calls are signed too. */
  async function addSecret(
    { id, accountId }: Pick<TestSubscription, "id" | "accountId">,
    { kind = "hmac", text = `whsec_${randomBytes(32).toString("base64")}` } = {},
  ): Promise<string> {
    const secretId = newId();
    const sealed = sealer.seal(
      Buffer.from(text),
      subscriptionSecretPlace({ id: secretId, accountId }),
    );
    await db.subscriptionSecret.create({
      data: {
        id: secretId,
        subscriptionId: id,
        accountId,
        kind,
        ciphertext: new Uint8Array(sealed),
        hint: text.slice(-4),
      },
    });
    await db.subscription.update({ where: { id }, data: { updatedAt: new Date() } });
    return text;
  }

  /** Adds an event with a run for each subscription. @returns its id and the runs' ids */
  async function addEvent(
    subscriptions: readonly TestSubscription[],
    data: unknown = {},
    { isOrdered = false }: { readonly isOrdered?: boolean } = {},
  ): Promise<{ readonly id: string; readonly runIds: readonly string[] }> {
    const id = newId();
    const timestamp = new Date().toISOString();
    const body = Buffer.from(JSON.stringify({ id, type: "invoice.paid", timestamp, data }));
    const [{ accountId } = { accountId: newId() }] = subscriptions;
    await db.event.create({
      data: { id, accountId, publicId: id, type: "invoice.paid", body: new Uint8Array(body) },
    });
    const rows = await db.$queryRaw<{ id: string }[]>`
      insert into queue (id, account_id, target_id, event_id, due_at, body_size, position)
      select run_id(${id}::uuid, place::int - 1), ${accountId}::uuid, subscription, ${id}::uuid,
        now() - interval '1 ms', ${body.length}::int, case when ${isOrdered} then (select coalesce(max(position), 0) + 1 from queue) end
      from unnest(${subscriptions.map((subscription) => subscription.id)}::uuid[]) with ordinality as t(subscription, place)
      returning id`;
    return { id, runIds: rows.map((row) => row.id) };
  }

  return { addSubscription, addSecret, addEvent };
}
