import { connectTo } from "#e2e/harness/connect-to.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";

type UsageVerdict = {
  readonly invariant: "U1";
  readonly promise: string;
  readonly breaches: readonly string[];
};

type Sums = Readonly<Record<(typeof names)[number], string>>;

const names = ["deliveries", "bytes", "events", "sends", "calls"] as const;

/**
 * Compares what the server has counted as used with its stored rows, once nothing is open. It counts in the
 * background, and rows that are younger than half a minute not yet.
 */
export async function checkUsage(databaseUrl: string): Promise<UsageVerdict> {
  await using client = await connectTo(databaseUrl);
  const read = async () => {
    const { rows } = await client.query<{ counted: Sums; stored: Sums }>(bothSums);
    return rows[0];
  };
  const isEqual = async () => {
    const sums = await read();
    return sums && names.every((name) => sums.counted[name] === sums.stored[name])
      ? true
      : undefined;
  };
  // Hours in which a run was open are counted again, the newest after a minute.
  await waitUntil("usage to be counted", 600_000, isEqual, 1_000).catch(() => {});
  // A second count of the same rows changes nothing.
  await client.query("update usage_recounts set recount_at = now()");
  await waitUntil("usage to be counted again", 600_000, async () => {
    const { rows } = await client.query("select from usage_recounts where recount_at <= now()");
    return rows.length === 0 ? true : undefined;
  });
  const sums = await read();
  return {
    invariant: "U1",
    promise: `usage is the sum of the stored rows (${names.map((name) => `${sums?.stored[name]} ${name}`).join(", ")})`,
    breaches: names
      .filter((name) => sums?.counted[name] !== sums?.stored[name])
      .map((name) => `${sums?.counted[name]} ${name} are counted, ${sums?.stored[name]} stored`),
  };
}

/** It takes a minute, so a few kills are left out, and so are servers that are broken on purpose. */
export function checksUsage({ kills, mutant }: { kills: number; mutant?: string }): boolean {
  return kills > 3 && mutant === undefined;
}

const bothSums = `
  select (
    select json_build_object('deliveries', sum(deliveries)::text, 'bytes', sum(bytes)::text,
      'events', sum(events)::text, 'sends', sum(sends)::text, 'calls', sum(calls)::text)
    from usage_days
  ) as counted, (
    select json_build_object('deliveries', deliveries::text, 'bytes', bytes::text, 'events', events::text,
      'sends', sends::text, 'calls', calls::text)
    from (select count(*) as deliveries, coalesce(sum(length(body)), 0) as delivered from deliveries) d
    cross join (select count(*) as events, coalesce(sum(length(body)), 0) as published from events) e
    cross join lateral (select delivered + published as bytes) b
    cross join (
      select count(*) filter (where hook_id is null and attempt_count > 0) as sends,
        coalesce(sum(attempt_count), 0) as calls
      from (select hook_id, attempt_count from runs union all select hook_id, attempt_count from queue) every_run
    ) r
  ) as stored`;
