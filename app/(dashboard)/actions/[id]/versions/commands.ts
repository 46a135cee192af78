"use server";

import { describeVersion } from "#components/actions/versions/describe-version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { listVersions } from "#lib/services/actions/read-actions.ts";
import { restoreVersion } from "#lib/services/actions/write-actions.ts";
import { askService, changeByService, stayOnPage } from "#lib/web/auth/run-service.ts";

/** Restores a version. Returns the keys of calls whose credentials must be entered again. */
export async function restoreVersionCommand(
  actionId: string,
  number: number,
): Promise<CommandResult<readonly string[]>> {
  const input = { id: actionId, number: String(number) };
  return await changeByService(restoreVersion, input, ({ missingCredentials }) => [
    ...missingCredentials,
  ]);
}

/** The latest versions, to choose one of. */
export async function listVersionsCommand(
  actionId: string,
): Promise<CommandResult<readonly { number: number; words: string; isCurrent: boolean }[]>> {
  return await stayOnPage(async () => {
    const found = await askService(listVersions, { id: actionId, limit: "50" });
    if (!found.ok) return found;
    const value = found.value.items.map((version) => {
      const { number, isCurrent } = version;
      return { number, words: describeVersion(version), isCurrent };
    });
    return { ok: true, value };
  });
}
