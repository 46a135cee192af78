import { notFound } from "next/navigation";
import { isGone } from "./is-gone.ts";

/**
 * Reads something by the id in a page's URL. If it is gone, or belongs to another account, the page
 * is "not found".
 */
export async function orNotFound<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    if (isGone(error)) notFound();
    throw error;
  }
}
