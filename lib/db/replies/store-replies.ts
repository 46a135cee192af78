import { Prisma } from "#lib/db/generated/client.ts";

/** The reply of a run that has ended, for the provider of its delivery. */
export type RunReply = {
  /** Null: the run has no reply. */
  readonly reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /** The reason there is no reply, although the action has one. */
  readonly problem: string | null;
};

type ReplyingRun = {
  readonly id: string;
  readonly accountId: string;
  readonly reply?: RunReply | undefined;
} & ({ readonly kind: "action"; readonly deliveryId: string } | { readonly kind: "send" });

/**
 * Part of the statement that ends runs: their replies commit with them. Empty if none of them
 * replies, so that the text of the statement stays the same. If a run was retried manually, its
 * latest reply counts.
 *
 * @param ended a query of the ids of runs that have ended
 */
export function storeReplies(runs: readonly ReplyingRun[], ended: Prisma.Sql): Prisma.Sql {
  if (runs.every(({ reply }) => reply === undefined)) return Prisma.empty;
  const rows = runs.flatMap((run) => {
    if (run.reply === undefined || run.kind === "send") return [];
    const { id, accountId: account_id, deliveryId: delivery_id } = run;
    return [{ id, account_id, delivery_id, ...toColumns(run.reply) }];
  });
  return Prisma.sql`, replied as (
      insert into answers (id, account_id, run_id, status, headers, body, problem)
      select delivery_id, account_id, id, status, headers, body, problem
      from json_to_recordset(${JSON.stringify(rows)}::json) as t(id uuid, account_id uuid, delivery_id uuid, status int,
        headers json, body text, problem text)
      where (id in (${ended})) is true
      on conflict (id) do update set run_id = excluded.run_id, status = excluded.status, headers = excluded.headers,
        body = excluded.body, problem = excluded.problem
    )`;
}

function toColumns({ reply, problem }: RunReply) {
  return {
    status: reply?.status ?? null,
    headers: reply?.headers ?? null,
    body: reply?.body ?? null,
    problem,
  };
}
