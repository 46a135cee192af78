"use client";

import { useAllowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { control, describedBy, FieldFrame, SelectField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ProblemPeopleProps = {
  readonly problem: {
    readonly assigneeId: string | null;
    readonly assignee: string | null;
    readonly comment: string | null;
    readonly commentedAt: Date | null;
    readonly commentedBy: string | null;
  };
  readonly members: readonly { readonly id: string; readonly name: string }[];
  readonly save: (input: object) => Promise<CommandResult<null>>;
  readonly nowMs: number;
};

/** Who takes care of a problem, and what is written about it. */
export function ProblemPeople(props: ProblemPeopleProps) {
  const { assignee, comment, commentedAt, commentedBy } = props.problem;
  const isAllowed = useAllowed("deliveries:write");
  if (!isAllowed && assignee === null && comment === null) return null;
  return (
    <Card className="grid gap-4 p-5 text-sm">
      {isAllowed ? (
        <PeopleForm {...props} />
      ) : (
        <>
          {assignee !== null && <p>Assigned to {safeText(assignee)}.</p>}
          {comment !== null && (
            <p className="break-words whitespace-pre-wrap">{safeText(comment)}</p>
          )}
        </>
      )}
      {comment !== null && commentedAt !== null && (
        <p className="text-muted-foreground">
          {safeText(commentedBy ?? "")} commented{" "}
          <RelativeTime at={commentedAt} nowMs={props.nowMs} />
        </p>
      )}
    </Card>
  );
}

function PeopleForm({ problem, members, save }: ProblemPeopleProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand((form) => {
    const given = (name: string) => String(form.get(name) ?? "").trim() || null;
    const comment = given("comment");
    return save({
      assigneeId: given("assigneeId"),
      ...(comment !== problem.comment && { comment }),
    });
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <div className="grid items-start gap-4 md:grid-cols-[14rem_minmax(0,1fr)_auto]">
        <SelectField
          key={problem.assigneeId}
          label="Assignee"
          name="assigneeId"
          defaultValue={problem.assigneeId ?? ""}
          error={fields.assigneeId}
        >
          <option value="">No one</option>
          {members.map(({ id, name }) => (
            <option key={id} value={id}>
              {safeText(name)}
            </option>
          ))}
        </SelectField>
        <FieldFrame id="comment" label="Comment" error={fields.comment}>
          <textarea
            key={problem.comment}
            id="comment"
            name="comment"
            rows={2}
            defaultValue={problem.comment ?? ""}
            aria-invalid={fields.comment !== undefined}
            aria-describedby={describedBy("comment", undefined, fields.comment)}
            className={`${control} h-auto! py-2`}
          />
        </FieldFrame>
        <div className="md:pt-7">
          <Button type="submit" look="secondary" isBusy={isPending}>
            Save
          </Button>
        </div>
      </div>
    </Form>
  );
}
