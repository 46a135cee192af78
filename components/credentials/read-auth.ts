import type { CredentialKind } from "#lib/schema/act/credential.ts";

const fieldsOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  bearer: ["token"],
  basic: ["username", "password"],
  header: ["name", "value"],
  query: ["name", "value"],
  oauth2: ["tokenUrl", "clientId", "clientSecret", "scope", "audience", "clientAuth"],
  hmac: ["secret"],
  certificate: ["certificate", "privateKey", "ca"],
  aws: ["accessKeyId", "secretAccessKey", "region", "service"],
};
const optional: ReadonlySet<string> = new Set(["scope", "audience", "ca"]);

/** The fields of a credential as API input. */
export function readAuth(kind: CredentialKind, form: FormData): object {
  const entries = fieldsOf[kind].map((field) => {
    // The form has another field called name.
    const name = field === "name" ? "authName" : field;
    return [field, optional.has(field) ? readOptional(form, name) : String(form.get(name) ?? "")];
  });
  return { type: kind, ...Object.fromEntries(entries) };
}

/** Null: empty. */
function readOptional(form: FormData, name: string): string | null {
  const text = String(form.get(name) ?? "").trim();
  return text === "" ? null : text;
}
