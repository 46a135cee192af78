import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hash } from "@smithy/hash-node";
import { SignatureV4 } from "@smithy/signature-v4";
import S3rver from "s3rver";
import type { ArchiveEnv } from "#lib/core/env/archive-settings.ts";

const region = "eu-central-1";
// The server knows no other.
const credentials = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/**
 * Calls `use` with a bucket of a real server. It doesn't check signatures, so Amazon's own signer does:
 * a request has to have the one that it makes.
 */
export async function withBucket(
  use: (env: ArchiveEnv & { readonly kind: "s3" }) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "catchment-bucket-"));
  const configureBuckets = [{ name: "archive", configs: [] }];
  const buckets = new S3rver({ silent: true, directory, configureBuckets });
  await buckets.configureBuckets();
  const serve = buckets.callback();
  const server = createServer(async (request, response) => {
    if (await isSigned(request)) serve(request, response);
    else response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await use({
      ...{ kind: "s3", bucket: "archive", prefix: "catchment/the weeks" },
      endpoint: `http://127.0.0.1:${port}`,
      region,
      ...credentials,
      sessionToken: undefined,
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true });
  }
}

async function isSigned({ method = "", url = "", headers }: IncomingMessage): Promise<boolean> {
  const { authorization = "" } = headers;
  const [, names = ""] = /SignedHeaders=([^,]*)/.exec(authorization) ?? [];
  const { pathname, searchParams } = new URL(url, `http://${headers.host}`);
  const signer = new SignatureV4({
    ...{ credentials, region, service: "s3", uriEscapePath: false, applyChecksum: false },
    sha256: Hash.bind(null, "sha256"),
  });
  const signed = names.split(";").map((name) => [name, String(headers[name])] as const);
  const [, date = ""] = signed.find(([name]) => name === "x-amz-date") ?? [];
  const request = await signer.sign(
    {
      ...{ method, protocol: "http:", hostname: "127.0.0.1", path: pathname },
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(signed),
    },
    { signingDate: new Date(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z")) },
  );
  const signatureOf = (text = "") => /Signature=(\w+)/.exec(text)?.[1];
  const expected = signatureOf(request.headers.authorization);
  return expected !== undefined && expected === signatureOf(authorization);
}
