import { CheckField } from "#components/ui/form/check-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { defaultRetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { textsAt } from "../draft/action-errors.ts";
import { toRetryDraft } from "../draft/retry-draft.ts";
import type { CallWork } from "../draft/step-draft.ts";
import { RetryFields } from "../limits/retry-fields.tsx";
import { CallFields } from "../request/call-fields.tsx";
import type { KindFieldsProps, KindView } from "./kind-view.ts";

/** A request to a receiver. */
export const callView: KindView<"call"> = {
  label: "Call",
  shortLabel: "Call",
  hasItems: true,
  summarize: ({ request: { url, method } }) =>
    url.trim() === "" ? "No URL yet" : `${method} ${url.replace(/^https?:\/\//i, "")}`,
  Fields: ({ work, onChange, errors, preview, storedAuth }) => (
    <CallFields
      request={work.request}
      onChange={(request) => onChange({ ...work, request: { ...work.request, ...request } })}
      errors={errors}
      resolved={preview?.resolved ?? {}}
      storedAuth={storedAuth}
    />
  ),
  Options: CallOptions,
};

function CallOptions({ work, onChange, errors }: KindFieldsProps<"call">) {
  const set = (change: Partial<CallWork>) => onChange({ ...work, ...change });
  return (
    <>
      <SelectField
        label="If the outcome is unknown"
        name="onUnknown"
        hint="After a crash of the server, the call may or may not have arrived."
        value={work.onUnknown}
        onChange={(event) => set({ onUnknown: event.target.value as CallWork["onUnknown"] })}
      >
        <option value="">By method: repeat GET, HEAD, PUT, and DELETE, hold others</option>
        <option value="repeat">Send the call again with the same Idempotency-Key</option>
        <option value="ask">Hold the run until someone decides</option>
      </SelectField>
      <TextField
        label="Timeout in seconds"
        name="stepTimeout"
        inputMode="decimal"
        autoComplete="off"
        placeholder="the action's timeout"
        value={work.timeout}
        onChange={(event) => set({ timeout: event.target.value })}
        error={textsAt(errors, "timeoutMs")[0]}
      />
      <CheckField
        label="Use a different retry policy for this step"
        checked={work.retry !== null}
        onChange={(isOwn) => set({ retry: isOwn ? toRetryDraft(defaultRetryPolicy) : null })}
      />
      {work.retry !== null && (
        <RetryFields retry={work.retry} onChange={(retry) => set({ retry })} errors={errors} />
      )}
    </>
  );
}
