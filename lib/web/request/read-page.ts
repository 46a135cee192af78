import { AppError } from "#lib/base/errors.ts";
import type { Page } from "#lib/core/api/page.ts";

/**
 * Reads a page of a list, or nothing for an invalid filter. The cursor in a URL may be invalid too.
 */
export async function readPage<Item>(
  problems: Readonly<Record<string, string>>,
  read: () => Promise<Page<Item>>,
): Promise<Page<Item> & { readonly problem: string | null }> {
  const nothing = { items: [], nextCursor: null };
  if (Object.keys(problems).length > 0) return { ...nothing, problem: null };
  try {
    return { ...(await read()), problem: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    return { ...nothing, problem: error.message };
  }
}
