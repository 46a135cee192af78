import { adminVariables } from "#lib/core/env/admin-env.ts";
import { archiveVariables } from "#lib/core/env/archive-env.ts";
import { mailVariables } from "#lib/core/env/mail-env.ts";
import { oidcVariables } from "#lib/core/env/oidc-env.ts";
import { spoolVariables } from "#lib/core/env/spool-env.ts";
import type { Role } from "#server/system/start-options.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that not every role reads. Only the step that creates the first owner reads its own. */
const readers: readonly { readonly variables: object; readonly roles: readonly Role[] }[] = [
  { variables: adminVariables, roles: [] },
  { variables: archiveVariables, roles: ["worker"] },
  { variables: mailVariables, roles: ["worker", "web"] },
  { variables: oidcVariables, roles: ["web"] },
  { variables: spoolVariables, roles: ["catch"] },
];

/** The environment of a role, without the secrets of the others: the one that catches faces the internet. */
export function pickVariables(role: Role, env: Variables): Variables {
  const hidden = new Set(
    readers.flatMap(({ variables, roles }) => (roles.includes(role) ? [] : Object.keys(variables))),
  );
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}
