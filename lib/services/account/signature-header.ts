import { AppError, invalidField } from "#lib/base/errors.ts";
import { openHeaders } from "#lib/core/sending/sealed-headers.ts";
import { readSignatureHeaders } from "#lib/db/accounts/sender-settings.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { listSealedHeaders } from "#lib/db/subscriptions/list-subscriptions.ts";
import { isSameHeader } from "#lib/schema/send/signature-headers.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** Throws `invalid_request` if one of the headers has the name of the account's signature. */
export async function requireOtherNames(
  tx: Transaction,
  { actor }: ServiceContext,
  headers: Readonly<Record<string, string | null>> | null | undefined,
): Promise<void> {
  // Null removes a header.
  const set = Object.entries(headers ?? {}).filter(([, value]) => value !== null);
  if (set.length === 0) return;
  const { signatureHeader } = await readSignatureHeaders(tx, actor.accountId);
  const taken = set.find(([name]) => isSameHeader(name, signatureHeader));
  if (taken === undefined) return;
  const message = "is the account's signature header and can't be changed";
  throw invalidField(`headers.${taken[0]}`, message, "not_allowed");
}

/** Throws `conflict` with the first subscription that has a header of this name. */
export async function requireUnusedHeader(
  tx: Transaction,
  { actor, sealer }: ServiceContext,
  wanted: string,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await listSealedHeaders(tx, actor.accountId, after);
    const found = page.find((subscription) =>
      Object.keys(openHeaders(sealer, subscription)).some((name) => isSameHeader(name, wanted)),
    );
    if (found !== undefined) {
      const { id, receiverUrl } = found;
      const detail =
        `The subscription ${id} to ${URL.parse(receiverUrl)?.host} has a header ${wanted} of its ` +
        "own. Remove it there, or choose another name.";
      throw new AppError("conflict", detail);
    }
    after = page.at(-1)?.id;
  } while (after !== undefined);
}
