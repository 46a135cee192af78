import type { Role } from "#lib/schema/account/role.ts";

/** The roles of an account in words. */
export const roleWords: Readonly<Record<Role, { readonly name: string; readonly text: string }>> = {
  viewer: { name: "Viewer", text: "Reads everything except secrets." },
  member: {
    name: "Member",
    text: "Also changes hooks, actions, and subscriptions, and retries and replays.",
  },
  admin: {
    name: "Admin",
    text: "Also manages people, API tokens, credentials, and the settings of the account.",
  },
  owner: { name: "Owner", text: "Also transfers and deletes the account." },
};
