import { adminSettings } from "./admin-settings.ts";
import { archiveSettings } from "./archive-settings.ts";
import { internalSettings } from "./internal-settings.ts";
import { mailSettings } from "./mail-settings.ts";
import { oidcSettings } from "./oidc-settings.ts";
import { monitoringSettings, serverSettings } from "./server-settings.ts";
import type { Group, Role, Setting } from "./setting.ts";
import { spoolSettings } from "./spool-settings.ts";
import { tracesSettings } from "./traces-settings.ts";

/** The table of all environment variables, in the order of `.env.example`. */
export const settingGroups = {
  server: serverSettings,
  admin: adminSettings,
  spool: spoolSettings,
  archive: archiveSettings,
  mail: mailSettings,
  monitoring: monitoringSettings,
  traces: tracesSettings,
  oidc: oidcSettings,
  internal: internalSettings,
};

const groups: readonly Group[] = Object.values(settingGroups);

export const settings: readonly Setting[] = groups.flatMap((group) =>
  Object.values(group.settings),
);

/** The names of the variables that a role doesn't read: it doesn't get the secrets of the others. */
export function listHidden(role: Role): readonly string[] {
  return groups
    .filter((group) => group.roles?.includes(role) === false)
    .flatMap((group) => Object.values(group.settings).map(({ name }) => name));
}
