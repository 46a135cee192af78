"use client";

import { createContext, type ReactNode, useContext } from "react";
import { SelectField } from "#components/ui/form/field.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { readBrokerOrigin } from "#lib/schema/act/broker-origin.ts";

type Choice = { readonly id: string; readonly name: string; readonly origin: string };

/** The destinations and saved credentials of the account. */
type Choices = {
  readonly destinations: readonly Choice[];
  readonly credentials: readonly Choice[];
};

const ChoicesContext = createContext<Choices>({ destinations: [], credentials: [] });

/** Provides the choices to the requests below. */
export function ReceiverChoices({ choices, children }: { choices: Choices; children: ReactNode }) {
  return <ChoicesContext value={choices}>{children}</ChoicesContext>;
}

type CredentialChoiceProps = {
  /** Empty: not chosen yet. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** The URL of the request. It may contain templates. */
  readonly url: string;
};

/** A field that chooses a saved credential for the origin of the URL. */
export function CredentialChoice({ value, onChange, url }: CredentialChoiceProps) {
  const { credentials } = useContext(ChoicesContext);
  const offered = listOffered(credentials, url, value);
  return (
    <SelectField
      label="Credential"
      name="credentialId"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint={
        <>
          {offered.length === 0 && "No saved credential is for this URL's origin. "}
          <Link href="/credentials" className="underline underline-offset-4">
            Manage credentials
          </Link>
        </>
      }
    >
      <option value="">Choose a credential</option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {safeText(name)}
        </option>
      ))}
    </SelectField>
  );
}

type DestinationChoiceProps = {
  /** Null: no destination. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly url: string;
  readonly error: string | undefined;
};

/**
 * A field that chooses a destination at the origin of the URL. Hidden if there is none to choose.
 */
export function DestinationChoice({ value, onChange, url, error }: DestinationChoiceProps) {
  const { destinations } = useContext(ChoicesContext);
  const offered = listOffered(destinations, url, value ?? "");
  if (offered.length === 0 && error === undefined) return null;
  return (
    <SelectField
      label="Destination"
      name="destinationId"
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
      hint="Its limits apply across all actions that use it. Its credential is used if authentication is None."
      error={error}
    >
      <option value="">None</option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {safeText(name)}
        </option>
      ))}
    </SelectField>
  );
}

/** The choices for the URL's origin, and the chosen one whatever its origin. */
export function listOffered(
  choices: readonly Choice[],
  url: string,
  chosen: string,
): readonly Choice[] {
  const origin = readOrigin(url);
  return choices.filter((choice) => choice.id === chosen || choice.origin === origin);
}

/** Reads the text before any template: only a path or a query can have templates. */
function readOrigin(url: string): string | undefined {
  const [start = ""] = /^(?:https?|amqps?|kafkas?):\/\/[^/?#]*/i.exec(url.trim()) ?? [];
  return readBrokerOrigin(start)?.origin ?? URL.parse(start)?.origin;
}
