import { z } from "zod";
import { limitScopes } from "#lib/schema/account/permissions.ts";
import { getAccount } from "#lib/services/account/accounts.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import { tool } from "../frame/tool.ts";
import { quote } from "../frame/visible-text.ts";

export const whoami = tool({
  name: "whoami",
  title: "Who am I",
  description: "Says which account, token, and role this connection has, and what it may do.",
  permissions: [],
  input: z.strictObject({}),
  run: async ({ context, actor }) => {
    const { accountId, name, role, maskedFields } = actor;
    const scopes = limitScopes(actor.scopes, role);
    const account = scopes.includes("account:read")
      ? await getAccount(context, { id: accountId })
      : null;
    const { publicUrl } = context.env;
    const { version } = packageJson;
    const masked = maskedFields.length > 0;
    return {
      lines: [
        account === null ? `Account ${accountId}` : `Account ${quote(account.name)} (${accountId})`,
        `Token ${quote(name)}, role ${role}`,
        `Scopes: ${scopes.join(", ") || "none"}`,
        ...(masked ? ["Fields of payloads are masked for this role."] : []),
        `Catchment ${version} at ${publicUrl}`,
      ],
      data: {
        account:
          account === null
            ? { id: accountId }
            : { id: accountId, name: account.name, slug: account.slug },
        token: { name, role, scopes },
        masked,
        server: { url: publicUrl, version },
      },
    };
  },
});
