import { SelectField } from "#components/ui/form/field.tsx";
import type { FieldOf } from "#components/ui/form/field-of.ts";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { ReceiverKind } from "#lib/schema/send/receiver-kind.ts";
import { listOffered } from "./receiver-choice.tsx";

/** A saved credential that a subscription may choose. */
export type SavedChoice = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  /** The kind of receiver that it is for. Null: subscriptions can't use it. */
  readonly receiver: ReceiverKind | null;
};

type SubscriptionCredentialProps = {
  readonly of: FieldOf<string>;
  readonly receiverUrl: string;
  readonly credentials: readonly SavedChoice[];
};

/** A field that chooses a saved credential for the origin of the receiver URL. */
export function SubscriptionCredential({
  of,
  receiverUrl,
  credentials,
}: SubscriptionCredentialProps) {
  const { value, error, onChange } = of;
  const usable = credentials.filter(({ receiver }) => receiver !== null);
  const offered = listOffered(usable, receiverUrl, value);
  return (
    <SelectField
      label="Credential"
      name="credentialId"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={error}
      hint={
        <>
          A client certificate (mTLS), an AWS access key for sqs or events, or a broker's login.{" "}
          {offered.length === 0 && "None is saved for this URL's origin. "}
          <Link href="/credentials" className="underline underline-offset-4">
            Manage credentials
          </Link>
        </>
      }
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
