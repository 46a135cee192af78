import { readSmallBody } from "#lib/web/request/read-small-body.ts";
import { oauthError } from "./oauth-response.ts";

/** The fields of a form by name. Those without a value are left out (RFC 6749 §3.1). */
export type OAuthForm = Readonly<Record<string, string>>;

type ReadForm =
  | { readonly ok: true; readonly form: OAuthForm }
  | { readonly ok: false; readonly response: Response };

const formType = "application/x-www-form-urlencoded";

/** Reads the form of a request. A field that comes twice is rejected, and so is a body that no tool sends. */
export async function readForm(request: Request): Promise<ReadForm> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== formType) return rejected(`Send a form: Content-Type: ${formType}.`);
  const bytes = await readSmallBody(request);
  if (bytes === null) return rejected("The form is larger than 16 KiB.", 413);
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  if (new Set(fields.map(([name]) => name)).size < fields.length)
    return rejected("A field of the form comes twice.");
  const form = Object.fromEntries(fields.filter(([, value]) => value !== ""));
  return { ok: true, form };
}

function rejected(description: string, status = 400): ReadForm {
  return { ok: false, response: oauthError("invalid_request", description, { status }) };
}
