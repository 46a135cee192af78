import { toProblem } from "#lib/base/errors.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { readPublicKeys } from "#lib/services/subscriptions/read-subscriptions.ts";

/**
 * The public keys of a subscription with a key pair, as a JSON Web Key Set (RFC 7517, RFC 8037), for
 * everyone who verifies its `v1a` signatures.
 */
export async function servePublicKeys(file: string): Promise<Response> {
  const id = /^([0-9a-f-]{36})\.json$/.exec(file)?.[1] ?? "";
  const keys = await readPublicKeys(serverContext().db, id);
  if (keys === null)
    return Response.json(toProblem("not_found", "There is no subscription with a key pair here."), {
      status: 404,
      headers: { "content-type": "application/problem+json" },
    });
  return Response.json(
    {
      keys: keys.map((key) => ({
        kty: "OKP",
        crv: "Ed25519",
        alg: "EdDSA",
        use: "sig",
        kid: key.id,
        x: Buffer.from(key.publicKey.replace(/^whpk_/, ""), "base64").toString("base64url"),
        /** The key in the format of Standard Webhooks. */
        publicKey: key.publicKey,
      })),
    },
    {
      headers: {
        "cache-control": "public, max-age=300",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
      },
    },
  );
}
