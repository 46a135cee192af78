import { z } from "zod";
import { searchAccount as findInAccount } from "#lib/db/overview/search-account.ts";
import { searchText } from "#lib/schema/account/search.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";

export type { SearchResult } from "#lib/db/overview/search-account.ts";

/** Finds everything of the account with this text in its name, or this id. */
export const searchAccount = service({
  permission: "deliveries:read",
  input: z.strictObject({ text: searchText }),
  run: async ({ db, actor }, { text }) => {
    authorize(actor, "hooks:read");
    authorize(actor, "subscriptions:read");
    return await findInAccount(db, actor.accountId, text);
  },
});
