import { expect, test } from "vitest";
import {
  describeMissingRole,
  describeNeededRole,
  describeReadOnly,
  isAllowed,
  type Permission,
  permissions,
  scopeOf,
} from "#lib/schema/account/permissions.ts";
import { type Role, roles } from "#lib/schema/account/role.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import type { Actor } from "./actor.ts";
import { authorize } from "./authorize.ts";

const names = Object.keys(permissions) as Permission[];
const accountId = "a";
const user = (role: Role): Actor => ({
  ...{ type: "user", accountId, userId: "u", email: "ada@example.com", role, sessionId: "s" },
  maskedFields: [],
});
const token = (role: Role, scopes = apiScopes): Actor => ({
  ...{ type: "token", accountId, tokenId: "t", name: "t", scopes, userId: "u", role },
  maskedFields: [],
});

function listAllowed(actor: Actor): readonly Permission[] {
  return names.filter((name) => {
    try {
      authorize(actor, name);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: "forbidden" });
      return false;
    }
  });
}

test("viewers only read, and each role may do all that the ones before it may", () => {
  const allowed = roles.map((role) => listAllowed(user(role)));
  // The audit log names people and addresses, a configuration has everything, and an erasure is about a person.
  const isForViewers = (name: string) =>
    name.endsWith(":read") && !/^(?:audit|configuration|erasures):/.test(name);
  expect(allowed[0]).toEqual(
    names.filter((name) => isForViewers(name) || name === "profile:write"),
  );
  const added = allowed.map((list, index) =>
    list.filter((name) => !(allowed[index - 1] ?? []).includes(name)),
  );
  expect(added[1]).toContain("hooks:write");
  expect(added[2]).toEqual(expect.arrayContaining(["credentials:write", "tokens:write"]));
  expect(allowed[3]).toEqual(names);
  for (const [index, list] of allowed.entries())
    for (const before of allowed.slice(0, index))
      expect(list).toEqual(expect.arrayContaining(before as Permission[]));
});

test("a token has its scopes, and never more than its maker's role", () => {
  for (const role of roles)
    expect(listAllowed(token(role))).toEqual(
      names.filter((name) => permissions[name].scope !== null && isAllowed(role, name)),
    );
  for (const name of names) {
    if (permissions[name].scope === null) continue;
    const without = apiScopes.filter((scope) => scope !== permissions[name].scope);
    expect(listAllowed(token("owner", without as never))).not.toContain(name);
  }
  expect(scopeOf("credentials:write")).toBe("hooks:write");
});

test("the reason names the roles that have the permission", () => {
  expect(describeReadOnly("viewer", "hooks:write")).toBe(
    "You're a viewer: you can look at everything here. A member can change it.",
  );
  expect(describeMissingRole("admin", "account:delete")).toBe(
    "You're an admin. An owner can delete the account.",
  );
  expect(describeNeededRole("account:write")).toBe(
    "Only admins and owners can change the account.",
  );
  expect(describeNeededRole("events:write")).toBe(
    "Only members, admins, and owners can publish events.",
  );
  expect(() => authorize(user("viewer"), "events:write")).toThrow(/ Your role is viewer\.$/);
  expect(() => authorize(token("viewer"), "events:write")).toThrow(
    / created this API token has the role viewer\.$/,
  );
});
