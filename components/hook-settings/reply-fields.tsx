"use client";

import { useId } from "react";
import { control, describedBy, FieldFrame, TextField } from "#components/ui/form/field.tsx";
import type { FieldOf, FindField } from "#components/ui/form/field-of.ts";
import { Field, FieldCheck, FieldSelect } from "#components/ui/form/fields.tsx";
import { PairFields } from "#components/ui/form/pair-fields.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import type { ReplyingAction, ReplyPartsDraft, ResponseForm } from "./reply-draft.ts";

type ReplyFieldsProps = {
  readonly hookId: string;
  readonly of: FindField<ResponseForm>;
  readonly actions: readonly ReplyingAction[];
  /** Errors by field. */
  readonly fields: Readonly<Record<string, string>>;
};

/** Chooses the action that replies to the provider, and the reply. */
export function ReplyFields({ hookId, of, actions, fields }: ReplyFieldsProps) {
  const draft = of("reply").value;
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
      <FieldCheck
        of={of("reply", "isOn")}
        label="Reply with an action's result"
        text={
          "The provider waits for the run. If the run takes longer, is skipped, or has no reply, " +
          "the provider gets the response above, or 202 if that is the default response. The run " +
          "continues."
        }
      />
      {draft.isOn && (
        <>
          <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
            <FieldSelect of={of("reply", "actionId")} label="Action">
              {chosen === undefined && <option value={draft.actionId}>Choose an action</option>}
              {actions.map(({ id, name, isOn }) => (
                <option key={id} value={id}>
                  {isOn ? name : `${name} (disabled)`}
                </option>
              ))}
            </FieldSelect>
            <Field of={of("reply", "waitSeconds")} label="Wait, in seconds" inputMode="numeric" />
          </div>
          {chosen !== undefined && !chosen.isOn && (
            <p className="text-sm text-caution">
              This action is disabled, so the provider gets the response above.
            </p>
          )}
          <Parts at="reply" words="Reply" parts={of("reply", "success")} fields={fields} />
          <StepNames chosen={chosen} />
          <FieldCheck of={of("reply", "hasFailure")} label="Another reply if the run fails" />
          {draft.hasFailure && (
            <Parts
              at="reply.onFailure"
              words="Reply to a failed run"
              parts={of("reply", "failure")}
              fields={fields}
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
  readonly parts: FieldOf<ReplyPartsDraft>;
  readonly fields: Readonly<Record<string, string>>;
};

function Parts({ at, words, parts: { value: parts, onChange }, fields }: PartsProps) {
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
