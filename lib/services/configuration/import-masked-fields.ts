import { putMaskedFields } from "#lib/services/masked-fields.ts";
import { type ImportRun, reportKept } from "./import-run.ts";

/** Adds masked fields. None is removed, so that an import shows viewers nothing that they didn't see. */
export async function importMaskedFields(run: ImportRun): Promise<void> {
  const { context, file, before } = run;
  const { maskedFields } = file;
  if (maskedFields === undefined) return;
  const toItem = (ref: string) => ({ ref });
  await run.item("maskedFields", async () => {
    const fields = [...new Set([...before.maskedFields, ...maskedFields])];
    const added = fields.slice(before.maskedFields.length);
    if (added.length > 0) await putMaskedFields(context, { fields });
    for (const field of added) run.added(`masked field "${field}"`);
    if (added.length < maskedFields.length) run.changed("masked fields", []);
  });
  reportKept(run, "masked field", before.maskedFields.map(toItem), maskedFields.map(toItem));
}
