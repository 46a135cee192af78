import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import type { Service } from "#lib/services/frame/service.ts";
import { respondToCommand } from "#lib/web/auth/form-command.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { callPortalService } from "./call-portal.ts";

/**
 * Runs a service for a change that a portal page makes. Its request must come from our own page,
 * which it does in an iframe too, and the token in it is the credential: no cookie is sent or read,
 * so another site has nothing to abuse. `show` picks what the page needs of the result.
 */
export async function runPortalCommand<Schema extends z.ZodType, Value, Shown>(
  service: Service<Schema, Value>,
  token: string,
  input: unknown,
  show: (value: Value) => Shown,
): Promise<CommandResult<Shown>> {
  const result = await askPortalService(service, token, input, show);
  if (result.ok) revalidatePath("/portal/[token]", "layout");
  return result;
}

/** The same for a read, after which no page is read again. */
export async function askPortalService<Schema extends z.ZodType, Value, Shown>(
  service: Service<Schema, Value>,
  token: string,
  input: unknown,
  show: (value: Value) => Shown,
): Promise<CommandResult<Shown>> {
  return await respondToCommand(async () => {
    const origin = readRequestOrigin(await headers());
    return show(await callPortalService(serverContext(), String(token), service, input, origin));
  });
}
