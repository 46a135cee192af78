import { notFound } from "next/navigation";
import { cache } from "react";
import { AppError } from "#lib/errors.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { openPortal, type Portal } from "#lib/services/portal/open-portal.ts";
import { callPortal, type PortalCall } from "./call-portal.ts";

/** The portal of a page's link. Without one, the page says that the link no longer works. */
export const requirePortal = cache(async (token: string): Promise<Portal> => {
  const portal = await openPortal(serverContext().db, token);
  if (portal === null) notFound();
  return portal;
});

/**
 * Reads the data of a page. If it doesn't exist or the link doesn't include it, the page is "not
 * found".
 */
export async function readForPage<Input, Value>(
  token: string,
  call: PortalCall<Input, Value>,
  input: Input,
): Promise<Value> {
  try {
    return await callPortal(serverContext(), token, call, input);
  } catch (error) {
    if (error instanceof AppError && ["not_found", "forbidden"].includes(error.code)) notFound();
    throw error;
  }
}
