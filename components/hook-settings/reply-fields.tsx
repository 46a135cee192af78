"use client";

import { useId } from "react";
import { CheckField } from "#components/ui/form/check-field.tsx";
import {
  control,
  describedBy,
  FieldFrame,
  SelectField,
  TextField,
} from "#components/ui/form/field.tsx";
import { PairFields } from "#components/ui/form/pair-fields.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import type { ReplyDraft, ReplyingAction, ReplyPartsDraft } from "./reply-draft.ts";

type ReplyFieldsProps = {
  readonly hookId: string;
  readonly draft: ReplyDraft;
  readonly onChange: (draft: ReplyDraft) => void;
  readonly actions: readonly ReplyingAction[];
  /** Errors by field. */
  readonly fields: Readonly<Record<string, string>>;
};

/** Chooses the action that replies to the provider, and the reply. */
export function ReplyFields({ hookId, draft, onChange, actions, fields }: ReplyFieldsProps) {
  const change = (part: Partial<ReplyDraft>) => onChange({ ...draft, ...part });
  const chosen = actions.find(({ id }) => id === draft.actionId);
  if (actions.length === 0 && !draft.isOn) {
    return (
      <p className="text-sm text-muted-foreground">
        To reply with the result of an action, an action has to exist first.{" "}
        <NextLink href={`/hooks/${hookId}/actions/new`}>Create action</NextLink>
      </p>
    );
  }
  return (
    <>
      <CheckField
        label="Reply with an action's result"
        text={
          "The provider waits for the run. If the run takes longer, is skipped, or has no reply, " +
          "the provider gets the response above, or 202 if that is the default response. The run " +
          "continues."
        }
        checked={draft.isOn}
        onChange={(isOn) => change({ isOn })}
      />
      {draft.isOn && (
        <>
          <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
            <SelectField
              label="Action"
              name="actionId"
              value={draft.actionId}
              onChange={(event) => change({ actionId: event.target.value })}
              error={fields["reply.actionId"]}
            >
              {chosen === undefined && <option value={draft.actionId}>Choose an action</option>}
              {actions.map(({ id, name, isOn }) => (
                <option key={id} value={id}>
                  {isOn ? name : `${name} (disabled)`}
                </option>
              ))}
            </SelectField>
            <TextField
              label="Wait, in seconds"
              name="waitSeconds"
              inputMode="numeric"
              autoComplete="off"
              value={draft.waitSeconds}
              onChange={(event) => change({ waitSeconds: event.target.value })}
              error={fields["reply.waitSeconds"]}
            />
          </div>
          {chosen !== undefined && !chosen.isOn && (
            <p className="text-sm text-caution">
              This action is disabled, so the provider gets the response above.
            </p>
          )}
          <Parts
            at="reply"
            words="Reply"
            parts={draft.success}
            fields={fields}
            onChange={(success) => change({ success })}
          />
          <StepNames chosen={chosen} />
          <CheckField
            label="Another reply if the run fails"
            checked={draft.hasFailure}
            onChange={(hasFailure) => change({ hasFailure })}
          />
          {draft.hasFailure && (
            <Parts
              at="reply.onFailure"
              words="Reply to a failed run"
              parts={draft.failure}
              fields={fields}
              onChange={(failure) => change({ failure })}
            />
          )}
        </>
      )}
    </>
  );
}

/** The names that templates can use from the chosen action. */
function StepNames({ chosen }: { readonly chosen: ReplyingAction | undefined }) {
  if (chosen === undefined || chosen.stepKeys.length === 0) return null;
  return (
    <p className="text-sm text-muted-foreground">
      Templates can use the delivery and{" "}
      {chosen.stepKeys.slice(0, 5).map((key, index) => (
        <span key={key}>
          {index > 0 && ", "}
          <code className="font-mono text-xs">{`steps.${key}`}</code>
        </span>
      ))}
      , each with status, headers, body, value, and error.
    </p>
  );
}

type PartsProps = {
  /** The path of the fields in errors. */
  readonly at: string;
  readonly words: string;
  readonly parts: ReplyPartsDraft;
  readonly fields: Readonly<Record<string, string>>;
  readonly onChange: (parts: ReplyPartsDraft) => void;
};

function Parts({ at, words, parts, fields, onChange }: PartsProps) {
  const bodyId = useId();
  const bodyError = fields[`${at}.body`];
  const headersAt = `${at}.headers`;
  const headerErrors = Object.entries(fields).filter(([path]) => path.startsWith(headersAt));
  const isOfType = ([path]: [string, string]) => path.toLowerCase() === `${headersAt}.content-type`;
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4 border-l-2 pl-4">
      <legend className="sr-only">{words}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Status"
          name={`${at}.status`}
          autoComplete="off"
          spellCheck={false}
          value={parts.status}
          onChange={(event) => onChange({ ...parts, status: event.target.value })}
          error={fields[`${at}.status`]}
        />
        <TextField
          label="Content type"
          name={`${at}.type`}
          autoComplete="off"
          spellCheck={false}
          placeholder="text/plain"
          value={parts.type}
          onChange={(event) => onChange({ ...parts, type: event.target.value })}
          error={headerErrors.find(isOfType)?.[1]}
        />
      </div>
      <fieldset className="grid min-w-0 gap-1">
        <legend className="mb-1.5 text-sm font-medium">Headers</legend>
        <PairFields
          what="Header"
          pairs={parts.headers}
          onChange={(headers) => onChange({ ...parts, headers })}
          errors={headerErrors
            .filter((error) => !isOfType(error))
            .map(([path, text]) => `${path.slice(headersAt.length + 1)} ${text}`.trim())}
        />
      </fieldset>
      <FieldFrame id={bodyId} label="Body" error={bodyError}>
        <textarea
          id={bodyId}
          rows={4}
          spellCheck={false}
          value={parts.body}
          onChange={(event) => onChange({ ...parts, body: event.target.value })}
          aria-invalid={bodyError !== undefined}
          aria-describedby={describedBy(bodyId, undefined, bodyError)}
          className={`${control} h-auto py-2 font-mono text-xs leading-5`}
        />
      </FieldFrame>
    </fieldset>
  );
}
