import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { toContent } from "#lib/db/actions/action-versions.ts";
import { readKnown } from "#lib/db/actions/action-work.ts";
import { exportFormat } from "#lib/schema/action/transfer.ts";
import { describeAuth } from "#lib/schema/action/version.ts";
import { exactJson, type RawJson } from "#lib/web/views/api-json.ts";

/** An action as a document without secrets, for the import of another hook. */
export function showExport(action: ActionRecord, sealer: Sealer): RawJson {
  const known = readKnown(sealer, action, action);
  const credentials = Object.fromEntries(
    [...known].flatMap(([key, { auth }]) => (auth === null ? [] : [[key, describeAuth(auth)]])),
  );
  const { name } = action;
  return exactJson({ format: exportFormat, name, ...toContent(action), credentials });
}
