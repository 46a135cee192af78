"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  type MaskedPreview,
  previewMaskedFields,
  putMaskedFields,
} from "#lib/services/masked-fields.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function saveMaskedFieldsCommand(
  fields: readonly string[],
): Promise<CommandResult<null>> {
  return await changeByService(putMaskedFields, { fields: [...fields] }, nothing);
}

/** Shows the newest delivery as viewers would see it. */
export async function previewMaskedFieldsCommand(
  fields: readonly string[],
): Promise<CommandResult<MaskedPreview | null>> {
  return await askService(previewMaskedFields, { fields: [...fields] });
}
