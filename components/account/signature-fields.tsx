import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import {
  catchmentSignature,
  isSameHeader,
  type SignatureHeaders,
} from "#lib/schema/send/signature-headers.ts";

type SignatureFieldsProps = {
  readonly value: SignatureHeaders;
  readonly onChange: (next: Partial<SignatureHeaders>) => void;
  readonly error: string | undefined;
};

/** The headers with which receivers verify events. */
export function SignatureFields({ value, onChange, error }: SignatureFieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        label="Signature header"
        name="signatureHeader"
        autoComplete="off"
        spellCheck={false}
        placeholder="Acme-Signature"
        hint="A name that ends in -Signature. It applies to the next attempt of every send."
        value={value.signatureHeader}
        onChange={(event) => onChange({ signatureHeader: event.target.value })}
        error={error}
      />
      {!isSameHeader(value.signatureHeader.trim(), catchmentSignature) && (
        <CheckField
          label={`Also send ${catchmentSignature}`}
          text="Turn it off once no receiver reads it any more."
          checked={value.catchmentSignature}
          onChange={(next) => onChange({ catchmentSignature: next })}
        />
      )}
      <CheckField
        label="Standard Webhooks headers"
        text={
          "webhook-id, webhook-timestamp, and webhook-signature. Without them, libraries for Standard " +
          "Webhooks can't verify your events. Subscriptions with a key pair always get them."
        }
        checked={value.standardWebhooksHeaders}
        onChange={(standardWebhooksHeaders) => onChange({ standardWebhooksHeaders })}
      />
    </div>
  );
}
