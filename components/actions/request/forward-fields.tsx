import { CheckField } from "#components/ui/form/check-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import type { ForwardDraft } from "../draft/request-draft.ts";

type ForwardFieldsProps = {
  readonly forward: ForwardDraft;
  readonly onChange: (forward: ForwardDraft) => void;
  readonly errors: readonly string[];
};

/** Options for forwarding a delivery's bytes. The method is chosen beside the URL. */
export function ForwardFields({ forward, onChange, errors }: ForwardFieldsProps) {
  const set = (change: Partial<ForwardDraft>) => onChange({ ...forward, ...change });
  const [problem] = errors;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <p className="text-sm text-muted-foreground">
        Sends the body as received: JSON, XML, a form, binary, or empty. Headers that you set above
        replace forwarded ones.
      </p>
      <SelectField
        label="Forwarded headers"
        name="forwardHeaders"
        value={forward.headers}
        onChange={(event) => set({ headers: event.target.value as ForwardDraft["headers"] })}
        hint="Content-Type and Content-Encoding are always sent."
        error={forward.headers === "named" ? undefined : problem}
      >
        <option value="all">All except credentials and proxy headers</option>
        <option value="named">Only the headers below</option>
        <option value="none">None</option>
      </SelectField>
      {forward.headers === "named" && (
        <TextField
          label="Header names"
          name="forwardHeaderNames"
          autoComplete="off"
          placeholder="stripe-signature, x-request-id"
          value={forward.headerNames}
          onChange={(event) => set({ headerNames: event.target.value })}
          error={problem}
        />
      )}
      <CheckField
        label="Forward the query string"
        checked={forward.query}
        onChange={(query) => set({ query })}
      />
    </div>
  );
}
