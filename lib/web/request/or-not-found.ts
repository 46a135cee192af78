import { notFound } from "next/navigation";
import { AppError } from "#lib/errors.ts";

/** What a page reads by an id in its address: one that is gone, or somebody else's, is a page that is not there. */
export async function orNotFound<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}
