import { toProxyRoute } from "#lib/core/env/egress-proxy.ts";
import { findClient, keepClientDocument, type OAuthClient } from "#lib/db/sign-in/oauth-clients.ts";
import { createHttpClient, type HttpClient } from "#lib/net/http-client.ts";
import { getClientDocument } from "#lib/net/sign-in/client-document.ts";
import {
  clientDocumentUrlSchema,
  clientMetadataSchema,
} from "#lib/schema/account/client-sign-in.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

type FoundClient =
  | { readonly ok: true; readonly client: OAuthClient }
  /** Why there is none, in a sentence, and what to do. */
  | { readonly ok: false; readonly message: string };

type Parts = Pick<ServiceParts, "db" | "env">;

/**
 * Finds the client of an id: one that registered, or the document at the id itself, which is asked for in the networks
 * that the portal may name. Call it for a signed-in person only: a link makes this server call.
 */
export async function resolveClient(
  parts: Parts,
  id: string,
  call: (parts: Parts, url: string) => ReturnType<typeof getClientDocument> = callDocument,
): Promise<FoundClient> {
  const { db, env } = parts;
  const known = await findClient(db, id);
  if (known !== null) return { ok: true, client: known };
  if (!id.startsWith("https:"))
    return reject(
      "The program isn't registered here any more. Remove this server from the program, and add it again.",
    );
  if (!clientDocumentUrlSchema.safeParse(id).success)
    return reject("The program's id is no URL of a document: https, with a path, and no fragment.");
  const document = await call(parts, id);
  if (!document.ok) return reject(`The program's document at ${id} ${document.what}.`);
  const read = clientMetadataSchema(env.publicUrl).safeParse(document.value);
  if (!read.success)
    return reject(`The program's document at ${id} has no valid name or redirect URIs.`);
  if ((document.value as { client_id?: unknown }).client_id !== id)
    return reject(`The document at ${id} is another program's: its client_id differs.`);
  const { client_name: name = null, redirect_uris: redirectUris } = read.data;
  const client = { id, name, redirectUris };
  await keepClientDocument(db, client);
  return { ok: true, client };
}

function reject(message: string): FoundClient {
  return { ok: false, message };
}

async function callDocument({ env }: Parts, url: string) {
  const client: HttpClient = createHttpClient({
    allow: env.portalEgressAllow,
    ownOrigins: [env.publicUrl],
    ownPorts: [env.port],
    proxy: toProxyRoute(env),
  });
  try {
    return await getClientDocument(client, url);
  } finally {
    await client.close();
  }
}
