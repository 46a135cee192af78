import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { RecreateRule } from "#lib/schema/receive/registration.ts";

type RegistrationFactsProps = {
  readonly registration: {
    readonly eventTypes: readonly string[];
    readonly recreate: RecreateRule;
    readonly url: string | null;
    readonly isAdopted: boolean;
    readonly credentialId: string | null;
  };
  readonly source: {
    readonly name: string;
    readonly credentials: readonly { readonly id: string; readonly name: string }[];
  };
};

/** The registration at the provider, and the part that Catchment restores. */
export function RegistrationFacts({ registration, source }: RegistrationFactsProps) {
  const { eventTypes, recreate, url, isAdopted, credentialId } = registration;
  const credential = source.credentials.find(({ id }) => id === credentialId);
  const more = eventTypes.length - maxShown;
  return (
    <dl className="grid gap-x-6 gap-y-0.5 border-t pt-4 text-sm sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-2">
      {url !== null && (
        <Fact name={`URL at ${source.name}`}>
          <code className="font-mono text-xs break-all">{safeText(url)}</code>
          {isAdopted && <span className="block text-muted-foreground">{adopted}</span>}
        </Fact>
      )}
      <Fact name="Event types">
        <ul className="flex flex-wrap gap-1.5">
          {eventTypes.slice(0, maxShown).map((type) => (
            <li
              key={type}
              className="rounded-md bg-muted px-2 py-0.5 font-mono text-xs leading-5 break-all"
            >
              {type === "*" ? "All event types" : safeText(type)}
            </li>
          ))}
          {more > 0 && <li className="py-0.5 text-xs text-muted-foreground">and {more} more</li>}
        </ul>
      </Fact>
      <Fact name="Credential">
        {credentialId === null ? (
          "It was deleted. Choose another one."
        ) : (
          <Link
            href={`/credentials/${credentialId}`}
            className="rounded-sm underline underline-offset-4"
          >
            {safeText(credential?.name ?? "Open the credential")}
          </Link>
        )}
      </Fact>
      <Fact name="If someone changes it">
        The catch URL and these event types are set again.{" "}
        {recreate === "always"
          ? "If it is deleted, it is registered again."
          : "If it is deleted, a problem opens."}
      </Fact>
    </dl>
  );
}

const maxShown = 30;
const adopted = "It was there before, and Catchment adopted it.";

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground max-sm:mt-2 max-sm:first:mt-0">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
