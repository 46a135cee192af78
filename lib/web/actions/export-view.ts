import { z } from "zod";
import { exportFormat } from "#lib/schema/act/transfer.ts";
import { describeAuth, versionAuthsSchema } from "#lib/schema/act/version.ts";
import { readKnown } from "#lib/services/actions/known-calls.ts";
import type { ActionRecord } from "#lib/services/actions/read-actions.ts";
import { toContent } from "#lib/services/actions/versions.ts";
import { exactJson } from "#lib/web/route/api-json.ts";
import { view } from "#lib/web/route/view.ts";
import { shownContent } from "./action-view.ts";

const exportSchema = z
  .object({
    format: z.literal(exportFormat),
    name: z.string(),
    ...shownContent,
    request: z.unknown().describe("The one call, as an import reads it. Null: it has steps"),
    steps: z.unknown().describe("The steps, as an import reads them. Null: it makes one call"),
    credentials: versionAuthsSchema.describe("Their kinds, by the key of the call"),
  })
  .meta({ id: "ExportedAction" });

/** An action as a document without secrets, for the import of another hook. */
export const exportView = view(exportSchema, (action: ActionRecord, { sealer }) => {
  const known = readKnown(sealer, action, action);
  const credentials = Object.fromEntries(
    [...known].flatMap(([key, { auth }]) => (auth === null ? [] : [[key, describeAuth(auth)]])),
  );
  const content = Object.entries(toContent(action)).map(([name, value]) => [
    name,
    exactJson(value),
  ]);
  return { format: exportFormat, name: action.name, ...Object.fromEntries(content), credentials };
});
