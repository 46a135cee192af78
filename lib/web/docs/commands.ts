"use server";

import { isAllowed } from "#lib/schema/account/permissions.ts";
import { getAccount } from "#lib/services/account/accounts.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { askReader, stay } from "#lib/web/auth/run-service.ts";

export const readTrierCommand = stay(askReader(readTrier));

/** Who tries calls from the documentation. */
type Trier = {
  /** The name of the account whose data the calls read and change. */
  readonly account: string;
  readonly createsTokens: boolean;
};

async function readTrier(context: ServiceContext, _input: object): Promise<Trier> {
  const { actor } = context;
  const { name } = await getAccount(context, { id: actor.accountId });
  return {
    account: name,
    createsTokens: actor.type === "user" && isAllowed(actor.role, "tokens:write"),
  };
}
