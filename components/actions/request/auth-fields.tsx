"use client";

import { CredentialChoice } from "#components/credentials/receiver-choice.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import type { AuthDraft } from "../draft/request-draft.ts";

type AuthFieldsProps = {
  readonly auth: AuthDraft;
  readonly onChange: (auth: AuthDraft) => void;
  /** The kind and last characters of the stored credentials. Null if there are none. */
  readonly stored: { readonly type: string; readonly hint: string | null } | null;
  readonly error: string | undefined;
  /** The request's URL. Only credentials for its origin can be used. */
  readonly url: string;
};

const kinds: Readonly<Record<string, string>> = {
  bearer: "bearer token",
  basic: "password",
  header: "API key",
  query: "API key",
  body: "API key",
};

/** The places for an API key, which give its name a meaning. */
const keyPlaces: Readonly<Record<string, { label: string; example: string }>> = {
  header: { label: "Header name", example: "X-Api-Key" },
  query: { label: "Parameter name", example: "api_key" },
  body: { label: "Field name", example: "api_key" },
};

/** The action's authentication. Credentials are write-only. */
export function AuthFields({ auth, onChange, stored, error, url }: AuthFieldsProps) {
  const set = (field: keyof AuthDraft) => ({
    value: auth[field],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...auth, [field]: event.target.value }),
  });
  const keyPlace = keyPlaces[auth.type];
  const secret = { type: "password", autoComplete: "off", spellCheck: false } as const;
  return (
    <div className="grid gap-3">
      <SelectField
        label="Authentication"
        name="authType"
        value={auth.type}
        onChange={(event) => onChange({ ...auth, type: event.target.value as AuthDraft["type"] })}
        hint={
          auth.type === "none"
            ? undefined
            : "Encrypted, sent only to this URL's host, and never shown again."
        }
        error={error}
      >
        {stored !== null && stored.type !== "credential" && (
          <option value="keep">
            Keep the stored {kinds[stored.type] ?? "credentials"}
            {stored.hint === null ? "" : ` (…${stored.hint})`}
          </option>
        )}
        <option value="none">None</option>
        <option value="credential">Saved credential</option>
        <option value="bearer">Bearer token</option>
        <option value="basic">Username and password</option>
        <option value="header">API key in a header</option>
        <option value="query">API key in the query</option>
        <option value="body">API key in the body</option>
      </SelectField>
      {auth.type === "credential" && (
        <CredentialChoice
          value={auth.credentialId}
          onChange={(credentialId) => onChange({ ...auth, credentialId })}
          url={url}
        />
      )}
      {auth.type === "bearer" && (
        <TextField label="Token" name="token" {...secret} {...set("token")} />
      )}
      {auth.type === "basic" && (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField label="Username" name="username" autoComplete="off" {...set("username")} />
          <TextField label="Password" name="password" {...secret} {...set("password")} />
        </div>
      )}
      {keyPlace !== undefined && (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={keyPlace.label}
            name="headerName"
            placeholder={keyPlace.example}
            {...set("headerName")}
          />
          <TextField label="Key" name="value" {...secret} {...set("value")} />
        </div>
      )}
    </div>
  );
}
