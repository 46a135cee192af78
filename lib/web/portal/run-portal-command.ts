import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import type { z } from "zod";
import { serverContext } from "#lib/services/frame/server-context.ts";
import type { Service } from "#lib/services/frame/service.ts";
import { respondToCommand } from "#lib/web/auth/form-command.ts";
import {
  type Arguments,
  type Command,
  type Part,
  readArguments,
} from "#lib/web/auth/run-service.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";
import { callPortalService } from "./call-portal.ts";

/**
 * Makes a command of a service that changes something, for a portal page. Its request must come from
 * our own page, which it does in an iframe too, and the token, its first argument, is the
 * credential: no cookie is sent or read, so another site has nothing to abuse. Default for `show`:
 * nothing but the success.
 */
export function changeInPortal<
  Schema extends z.ZodType,
  Value,
  const Parts extends readonly Part<z.input<Schema>>[],
  Shown = null,
>(
  service: Service<Schema, Value>,
  parts: Parts,
  show: (value: Value, input: z.input<Schema>) => Shown = () => null as Shown,
): Command<[token: string, ...Arguments<z.input<Schema>, Parts>], Shown> {
  const run = askInPortal(service, parts, show);
  return async (...args) => {
    const result = await run(...args);
    if (result.ok) revalidatePath("/portal/[token]", "layout");
    return result;
  };
}

/** The same for a read, after which no page is read again. */
export function askInPortal<
  Schema extends z.ZodType,
  Value,
  const Parts extends readonly Part<z.input<Schema>>[],
  Shown,
>(
  service: Service<Schema, Value>,
  parts: Parts,
  show: (value: Value, input: z.input<Schema>) => Shown,
): Command<[token: string, ...Arguments<z.input<Schema>, Parts>], Shown> {
  return (token, ...args) =>
    respondToCommand(async () => {
      const origin = readRequestOrigin(await headers());
      const input = (await readArguments(parts, args)) as z.input<Schema>;
      return show(
        await callPortalService(serverContext(), String(token), service, input, origin),
        input,
      );
    });
}
