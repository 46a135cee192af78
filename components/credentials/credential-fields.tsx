"use client";

import { useId } from "react";
import { classNames } from "#components/ui/class-names.ts";
import {
  control,
  describedBy,
  FieldFrame,
  type FieldProps,
  SelectField,
  TextField,
} from "#components/ui/form/field.tsx";
import type { CredentialKind, CredentialSettings } from "#lib/schema/act/credential.ts";

type CredentialFieldsProps = {
  readonly kind: CredentialKind;
  /** Errors by path in the input. */
  readonly errors: Readonly<Record<string, string>>;
  /** The current settings, without secrets. */
  readonly settings?: CredentialSettings;
};

/** The fields of a credential of one type. Saved values are never shown. */
export function CredentialFields({ kind, errors, settings }: CredentialFieldsProps) {
  const known: Readonly<Record<string, unknown>> = settings?.type === kind ? settings : {};
  const now = (name: string) => ({ defaultValue: String(known[name] ?? "") });
  const at = (name: string) => ({ name, error: errors[`auth.${name}`] });
  const plain = { autoComplete: "off", spellCheck: false } as const;
  const secret = { ...plain, type: "password" } as const;
  switch (kind) {
    case "bearer":
      return <TextField label="Token" {...secret} {...at("token")} hint={stored} />;
    case "basic":
      return (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField label="Username" {...plain} {...at("username")} />
          <TextField label="Password" {...secret} {...at("password")} />
        </div>
      );
    case "header":
    case "query":
      return (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={kind === "header" ? "Header name" : "Parameter name"}
            {...plain}
            name="authName"
            {...now("name")}
            placeholder={kind === "header" ? "X-Api-Key" : "api_key"}
            error={errors["auth.name"]}
          />
          <TextField label="Key" {...secret} {...at("value")} />
        </div>
      );
    case "oauth2":
      return (
        <>
          <TextField
            label="Token URL"
            {...plain}
            {...at("tokenUrl")}
            {...now("tokenUrl")}
            placeholder="https://auth.example.com/oauth/token"
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField label="Client id" {...plain} {...at("clientId")} {...now("clientId")} />
            <TextField label="Client secret" {...secret} {...at("clientSecret")} />
            <TextField
              label="Scope"
              {...plain}
              {...at("scope")}
              {...now("scope")}
              placeholder="optional"
            />
            <TextField
              label="Audience"
              {...plain}
              {...at("audience")}
              {...now("audience")}
              placeholder="optional"
            />
          </div>
          <SelectField label="Send the secret" {...at("clientAuth")} {...now("clientAuth")}>
            <option value="basic">In the Authorization header</option>
            <option value="body">In the body</option>
          </SelectField>
        </>
      );
    case "hmac":
      return (
        <TextField
          label="Secret"
          {...secret}
          {...at("secret")}
          placeholder="whsec_…"
          hint="whsec_ and 24 to 128 bytes in base64. Requests are signed as described by Standard Webhooks."
        />
      );
    case "certificate":
      return (
        <>
          <PemField label="Certificate" {...at("certificate")} />
          <PemField label="Private key" {...at("privateKey")} hint={stored} />
          <PemField
            label="Certificate authority"
            {...at("ca")}
            hint="Optional. Trusted for this origin, besides the usual authorities."
          />
        </>
      );
    case "aws":
      return (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              label="Access key id"
              {...plain}
              {...at("accessKeyId")}
              {...now("accessKeyId")}
            />
            <TextField label="Secret access key" {...secret} {...at("secretAccessKey")} />
            <TextField
              label="Region"
              {...plain}
              {...at("region")}
              {...now("region")}
              placeholder="eu-west-1"
            />
            <TextField
              label="Service"
              {...plain}
              {...at("service")}
              {...now("service")}
              placeholder="sqs"
            />
          </div>
          <p className="text-sm text-muted-foreground">
            Requests are signed with Signature Version 4. Subscriptions send to Amazon SQS with the
            service sqs, and to Amazon EventBridge with the service events.
          </p>
        </>
      );
    default:
      return kind satisfies never;
  }
}

const stored = "Encrypted, and never shown again.";

function PemField({ label, name, hint, error }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        name={name}
        rows={4}
        autoComplete="off"
        spellCheck={false}
        placeholder="-----BEGIN"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        className={classNames(control, "h-auto py-2 font-mono text-xs")}
      />
    </FieldFrame>
  );
}
