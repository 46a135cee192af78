import { z } from "zod";
import { readDatabaseUrl } from "#lib/core/env/database-url.ts";
import { type AllowList, parseCidrList } from "#lib/core/sending/address/allow-list.ts";

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Uses the parser of the address guard, so that both agree. */
export function networkList() {
  return z.string().transform((text, context): AllowList => {
    const parsed = parseCidrList(text);
    if (parsed.ok) return parsed.cidrs;
    context.addIssue({ code: "custom", message: `is invalid: ${parsed.message}` });
    return z.NEVER;
  });
}

export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  return (
    isHttp &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === ""
  );
}

/** One host or several. The message never contains the URL. */
export function postgresUrl() {
  return z.string().superRefine((text, context) => {
    const url = readDatabaseUrl(text);
    if (!url.ok) context.addIssue({ code: "custom", message: url.message });
  });
}
