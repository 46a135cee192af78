import { AppError } from "#lib/base/errors.ts";
import type { ChangedRows } from "#lib/schema/field/selected.ts";

/**
 * Changes selected rows one after the other. One that can't be changed now, or is gone, is left out
 * with its reason.
 */
export async function changeEach(
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
): Promise<ChangedRows> {
  const leftOut: { id: string; detail: string }[] = [];
  for (const id of ids) {
    try {
      await change(id);
    } catch (error) {
      if (!(error instanceof AppError) || !isOfRow(error)) throw error;
      leftOut.push({ id, detail: error.message });
    }
  }
  return { changed: ids.length - leftOut.length, leftOut };
}

function isOfRow({ code }: AppError): boolean {
  return code === "conflict" || code === "not_found";
}
