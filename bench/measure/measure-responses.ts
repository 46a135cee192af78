import type { Client } from "pg";

/** One page as the server sends it. */
export type MeasuredResponse = {
  readonly page: string;
  /** The time until the complete response, in milliseconds. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Pages of 8 KiB that its statements looked at, in memory or not. */
  readonly buffersP50: number;
  readonly buffersP95: number;
  /** Responses other than 200. */
  readonly failures: number;
  readonly htmlBytes: number;
};

type Options = {
  readonly origin: string;
  /** The cookie of a session. */
  readonly cookie: string;
  readonly page: string;
  readonly path: string;
  readonly rounds: number;
  /** A connection to a server with `pg_stat_statements` that does nothing else meanwhile. */
  readonly database: Client;
};

/** The first ones find cold caches, and statements without a plan. */
const warmUps = 5;
/** A page that takes longer than this in all isn't asked for again. */
const maxMs = 60_000;

/** Measures one request at a time. */
export async function measureResponse(options: Options): Promise<MeasuredResponse> {
  const { origin, cookie, page, path, rounds, database } = options;
  const times: number[] = [];
  const buffers: number[] = [];
  let failures = 0;
  let htmlBytes = 0;
  const startedAt = performance.now();
  for (let n = -warmUps; n < rounds; n += 1) {
    const before = await readBuffers(database);
    const sentAt = performance.now();
    const response = await fetch(origin + path, { headers: { cookie }, redirect: "manual" });
    const html = await response.arrayBuffer();
    const tookMs = performance.now() - sentAt;
    if (response.status !== 200) failures += 1;
    const isOver = performance.now() - startedAt > maxMs;
    if (n >= 0 || isOver) {
      times.push(tookMs);
      buffers.push((await readBuffers(database)) - before);
      htmlBytes = html.byteLength;
    }
    if (isOver) break;
  }
  return {
    page,
    p50Ms: at(times, 0.5),
    p95Ms: at(times, 0.95),
    buffersP50: at(buffers, 0.5),
    buffersP95: at(buffers, 0.95),
    failures,
    htmlBytes,
  };
}

async function readBuffers(database: Client): Promise<number> {
  const { rows } = await database.query<{ buffers: number }>(
    "select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers from pg_stat_statements",
  );
  return rows[0]?.buffers ?? 0;
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const index = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return Math.round((sorted[index] ?? Number.NaN) * 10) / 10;
}
