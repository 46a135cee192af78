import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, request } from "undici";
import { toError } from "#lib/base/errors.ts";
import type { BucketEnv } from "#lib/core/env/archive-settings.ts";
import { readListing } from "./read-listing.ts";

/** The reason why a request failed, for the operator. Contains no key and no part of a body. */
export class BucketError extends Error {
  override readonly name = "BucketError";
}

type Listing = {
  /** The keys, without the prefix. */
  readonly names: readonly string[];
  /** The names up to the first slash after the prefix, if the listing stops there. */
  readonly folders: readonly string[];
};

export type Bucket = {
  /** Writes or replaces an object. The server rejects it if a byte was changed on the way. */
  put(key: string, body: Buffer): Promise<void>;
  /** Null: there is no object with this key. */
  get(key: string): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
  list(prefix: string, options?: { readonly stopsAtSlash: boolean }): Promise<Listing>;
  close(): Promise<void>;
};

const tries = 4;
const firstPauseMs = 500;
const idleMs = 60_000;
/** The largest object is a row with a body of the largest size. */
const maxObjectBytes = 1024 ** 3;
/** A page lists at most 1,000 names of at most 1,024 bytes. */
const maxPageBytes = 8 * 1024 ** 2;
const usualLimits = { totalMs: 600_000, maxPages: 1_000 };

/**
 * Opens a bucket of Amazon S3 or of a compatible server. The operator named it, so it may be in a
 * private network. If the server is busy or broken, a request is repeated a few times.
 *
 * @param limits `totalMs`: a response that isn't whole by then is given up. `maxPages`: of a listing
 */
export function openBucket(
  env: BucketEnv,
  { totalMs, maxPages }: typeof usualLimits = usualLimits,
): Bucket {
  const agent = new Agent({
    connect: { timeout: 10_000 },
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    // One request at a time.
    connections: 1,
    pipelining: 1,
  });
  const base = baseUrl(env);
  const urlOf = (key: string) => `${base}/${key.split("/").map(encodeURIComponent).join("/")}`;

  async function call(method: string, url: string, rest: Partial<Sent> = {}): Promise<Reply> {
    const sent = { method, url, totalMs, maxBytes: maxObjectBytes, ...rest };
    for (let attempt = 1; ; attempt += 1) {
      const reply = await send(agent, env, sent);
      if (!(reply instanceof BucketError) && !isPassing(reply.status)) return reply;
      if (attempt === tries) throw reply instanceof BucketError ? reply : rejected(reply);
      await delay(firstPauseMs * 2 ** (attempt - 1));
    }
  }

  return {
    async put(key, body) {
      requireDone(await call("PUT", urlOf(key), { body }));
    },
    async get(key) {
      const reply = await call("GET", urlOf(key));
      if (reply.status === 404 && !/NoSuchBucket/.test(reply.body.toString())) return null;
      return requireDone(reply).body;
    },
    async remove(key) {
      const reply = await call("DELETE", urlOf(key));
      if (reply.status !== 404) requireDone(reply);
    },
    async list(prefix, { stopsAtSlash } = { stopsAtSlash: false }) {
      const [names, folders]: [string[], string[]] = [[], []];
      let token: string | null = null;
      let pages = 0;
      do {
        pages += 1;
        if (pages > maxPages)
          throw new BucketError(`The server of the bucket lists more than ${maxPages} pages`);
        const query: URLSearchParams = new URLSearchParams({ "list-type": "2", prefix });
        if (stopsAtSlash) query.set("delimiter", "/");
        if (token !== null) query.set("continuation-token", token);
        const url = `${base}/?${query}`;
        const { body } = requireDone(await call("GET", url, { maxBytes: maxPageBytes }));
        const page = readListing(body.toString());
        names.push(...page.keys.map((key) => key.slice(prefix.length)));
        folders.push(...page.prefixes.map((key) => key.slice(prefix.length, -1)));
        if (token !== null && page.nextToken === token)
          throw new BucketError("The server of the bucket lists the same page again");
        token = page.nextToken;
      } while (token !== null);
      return { names, folders };
    },
    close: () => agent.close(),
  };
}

/** On an operator's own server, buckets rarely have host names of their own. */
function baseUrl({ endpoint, bucket, region }: BucketEnv): string {
  return endpoint === undefined
    ? `https://${bucket}.s3.${region}.amazonaws.com`
    : `${endpoint}/${bucket}`;
}

type Sent = {
  readonly method: string;
  readonly url: string;
  readonly body?: Buffer;
  readonly totalMs: number;
  readonly maxBytes: number;
};
type Reply = { readonly status: number; readonly body: Buffer };

/** Throws what needs no repetition: a response that is too large, or takes too long. */
async function send(
  agent: Agent,
  { accessKeyId, secretAccessKey, sessionToken, region }: BucketEnv,
  { method, url, body, totalMs, maxBytes }: Sent,
): Promise<Reply | BucketError> {
  const signer = new AwsV4Signer({
    ...{ method, url, accessKeyId, secretAccessKey, region, service: "s3" },
    ...(sessionToken === undefined ? {} : { sessionToken }),
    // With the body's checksum, the server checks what arrives.
    headers: {
      "x-amz-content-sha256": createHash("sha256")
        .update(body ?? "")
        .digest("hex"),
    },
  });
  const { headers } = await signer.sign();
  const { host } = new URL(url);
  const signal = AbortSignal.timeout(totalMs);
  let received: Buffer | null;
  let status: number;
  try {
    const response = await request(url, {
      method: method as "GET" | "PUT" | "DELETE",
      headers: Object.fromEntries(headers),
      body: body ?? null,
      dispatcher: agent,
      signal,
    });
    status = response.statusCode;
    received = await readUpTo(response.body, maxBytes);
  } catch (error) {
    if (signal.aborted)
      throw new BucketError(`${host} has not responded to the end within ${totalMs / 1_000} s`);
    return new BucketError(`${host} can't be reached: ${toError(error).message}`);
  }
  if (received === null)
    throw new BucketError(`${host} responded with more than ${maxBytes} bytes`);
  return { status, body: received };
}

/** Null: there is more. */
async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function requireDone(reply: Reply): Reply {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw rejected(reply);
}

/** The server's code is a word such as `AccessDenied` or `NoSuchBucket`. */
function rejected({ status, body }: Reply): BucketError {
  const [, code] = /<Code>(\w{1,60})<\/Code>/.exec(body.toString()) ?? [];
  return new BucketError(
    `The server of the bucket responded with ${status}${code === undefined ? "" : ` (${code})`}`,
  );
}
