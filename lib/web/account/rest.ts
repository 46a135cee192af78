import { z } from "zod";
import {
  type AccountRecord,
  createAccount,
  deleteAccount,
  getAccount,
  listAccounts,
  transferAccount,
} from "#lib/services/account/accounts.ts";
import { renameAccount } from "#lib/services/account/sender-settings.ts";
import { memberView } from "#lib/web/members/member-view.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pick, view } from "#lib/web/route/view.ts";

const accountSchema = z
  .object({ id: z.string(), slug: z.string(), name: z.string(), createdAt: z.date() })
  .meta({ id: "Account" });

/** An account in the API's responses. */
const accountView = view(accountSchema, (account: AccountRecord) => pick(accountSchema, account));

const accountsView = view(
  z.object({ data: z.array(accountSchema), nextCursor: z.null() }),
  (accounts: readonly AccountRecord[], context) => ({
    data: accounts.map((each) => accountView.show(each, context)),
    nextCursor: null,
  }),
);

export const accountRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/accounts",
    operationId: "listAccounts",
    summary: "List accounts",
    description: "Those of the person who created the token.",
    service: listAccounts,
    view: accountsView,
  }),
  route({
    method: "POST",
    path: "/accounts",
    operationId: "createAccount",
    summary: "Create an account",
    description:
      "The person who created the token owns it, and has to be an owner of the token's account.",
    service: createAccount,
    status: 201,
    view: accountView,
    example: { name: "Acme Staging", slug: "acme-staging" },
  }),
  route({
    method: "GET",
    path: "/accounts/{id}",
    operationId: "getAccount",
    summary: "Get the account",
    description: "404 for another account than the token's.",
    service: getAccount,
    view: accountView,
  }),
  route({
    method: "PATCH",
    path: "/accounts/{id}",
    operationId: "renameAccount",
    summary: "Rename the account",
    description: "Catch URLs don't change. 404 for another account than the token's.",
    service: renameAccount,
    view: accountView,
    example: { name: "Acme Inc." },
  }),
  route({
    method: "POST",
    path: "/accounts/{id}/transfer",
    operationId: "transferAccount",
    summary: "Transfer the account",
    description:
      "Another member becomes an owner, and the owner who created the token becomes an admin.",
    service: transferAccount,
    view: memberView,
    example: { memberId: "01938e5c-7c00-7000-8000-000000000000" },
  }),
  route({
    method: "DELETE",
    path: "/accounts/{id}",
    operationId: "deleteAccount",
    summary: "Delete the account",
    description:
      "With everything in it. The name confirms which one. 409 for the only account of the installation.",
    service: deleteAccount,
    view: null,
    example: { name: "Acme Staging" },
  }),
];
