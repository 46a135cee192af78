import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { AuthOf } from "#lib/schema/act/credential.ts";

/** Signs a request, with all of its headers and its body, as AWS asks for: Signature Version 4. */
export async function signAws(
  request: OutgoingRequest,
  { accessKeyId, secretAccessKey, region, service }: AuthOf<"aws">,
): Promise<OutgoingRequest> {
  const body = request.body ?? new Uint8Array();
  const signer = new AwsV4Signer({
    ...{ accessKeyId, secretAccessKey, region, service },
    method: request.method,
    url: request.url,
    headers: [
      ...request.headers.map(([name, value]): [string, string] => [name, value]),
      ["x-amz-content-sha256", createHash("sha256").update(body).digest("hex")],
    ],
    body: new Uint8Array(body),
  });
  const signed = await signer.sign();
  return { ...request, url: signed.url.toString(), headers: [...signed.headers.entries()] };
}
