"use client";

import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import type { Suggestion } from "#components/ui/code/suggestion.ts";
import { control } from "#components/ui/form/field.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { type ActionErrors, textsAt, textsUnder } from "../draft/action-errors.ts";
import {
  type ConditionDraft,
  filledRows,
  type GroupDraft,
  hasItems,
  hasValue,
  newItems,
  newRow,
  operators,
} from "../draft/filter-draft.ts";
import { NameField } from "./name-field.tsx";

type ConditionRowsProps = {
  readonly group: GroupDraft;
  readonly onChange: (group: GroupDraft) => void;
  readonly errors: ActionErrors;
  /** The path of the group, as in API errors. */
  readonly path: string;
  /** The text before a row's number: `2.` for the items of condition 2. */
  readonly prefix?: string;
  /** The names that a path can use. */
  readonly names: readonly Suggestion[];
  /** Content beside the button that adds a row. */
  readonly children?: ReactNode;
};

/** Conditions, and the way they combine. */
export function ConditionRows(props: ConditionRowsProps) {
  const { group, onChange, errors, path, prefix = "", names } = props;
  const { match, rows } = group;
  const filled = filledRows(group);
  const isItem = prefix !== "";
  const change = (key: number, next: Partial<ConditionDraft>) =>
    onChange({ ...group, rows: rows.map((row) => (row.key === key ? { ...row, ...next } : row)) });
  const add = () => onChange({ ...group, rows: [...rows, newRow(rows)] });
  const errorsOf = (row: ConditionDraft) => {
    const index = filled.indexOf(row);
    return index === -1 ? null : `${path}.${match}.${index}`;
  };

  return (
    <>
      {rows.length > 0 && <MatchField {...props} />}
      {rows.map((row, index) => (
        <ConditionRow
          key={row.key}
          row={row}
          number={`${prefix}${index + 1}`}
          onChange={(next) => change(row.key, next)}
          onRemove={() => onChange({ ...group, rows: rows.filter(({ key }) => key !== row.key) })}
          errors={errors}
          path={errorsOf(row)}
          names={names}
        />
      ))}
      {isItem && textsAt(errors, `${path}.${match}`).length > 0 && (
        <FieldErrors errors={textsAt(errors, `${path}.${match}`)} />
      )}
      <div className="flex flex-wrap gap-x-1">
        <Button look="quiet" className="-ml-3.5" onClick={add}>
          <Plus aria-hidden size={15} />
          {isItem ? "Add item condition" : "Add condition"}
        </Button>
        {props.children}
      </div>
    </>
  );
}

function MatchField({ group, onChange, prefix = "" }: ConditionRowsProps) {
  const isOne = group.rows.length === 1;
  const label = prefix === "" ? "Match" : `Condition ${prefix.slice(0, -1)}, match`;
  return (
    <select
      aria-label={label}
      value={group.match}
      onChange={(event) => onChange({ ...group, match: event.target.value as GroupDraft["match"] })}
      className={`${control} w-auto max-w-full justify-self-start`}
    >
      <option value="all">{isOne ? "The condition matches" : "All conditions match"}</option>
      {(!isOne || group.match === "any") && <option value="any">Any condition matches</option>}
      <option value="none">{isOne ? "The condition doesn't match" : "No condition matches"}</option>
    </select>
  );
}

type ConditionRowProps = {
  readonly row: ConditionDraft;
  /** `2`, or `2.1` for the first condition on its items. */
  readonly number: string;
  readonly onChange: (change: Partial<ConditionDraft>) => void;
  readonly onRemove: () => void;
  readonly errors: ActionErrors;
  /** The path of the condition, as in API errors. Null: the row is empty. */
  readonly path: string | null;
  readonly names: readonly Suggestion[];
};

function ConditionRow({ row, number, onChange, onRemove, ...props }: ConditionRowProps) {
  const { op, value, where = newItems } = row;
  const { errors, path, names } = props;
  const texts = path === null ? [] : listTexts(errors, path, hasItems(op));
  return (
    <div className="grid min-w-0 gap-1">
      <div
        className={
          "grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 " +
          "sm:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,5fr)_auto]"
        }
      >
        <NameField
          label={`Condition ${number}, name`}
          value={row.path}
          placeholder={number.includes(".") ? "item.price" : "data.object.status"}
          names={names}
          onChange={(next) => onChange({ path: next })}
        />
        <select
          aria-label={`Condition ${number}, comparison`}
          value={op}
          onChange={(event) => onChange({ op: event.target.value as ConditionDraft["op"] })}
          className={classNames(
            control,
            "col-start-1 text-xs sm:col-start-auto",
            !hasValue(op) && "sm:col-span-2",
          )}
        >
          {operators.map((operator) => (
            <option key={operator.op} value={operator.op}>
              {operator.words}
            </option>
          ))}
        </select>
        {hasValue(op) && (
          <input
            aria-label={`Condition ${number}, value`}
            value={value}
            onChange={(event) => onChange({ value: event.target.value })}
            placeholder={placeholders[op] ?? "value"}
            spellCheck={false}
            autoComplete="off"
            className={`${control} col-start-1 font-mono text-xs sm:col-start-auto`}
          />
        )}
        <IconButton
          label={`Remove condition ${number}`}
          onClick={onRemove}
          className="col-start-2 row-start-1 sm:col-start-4"
        >
          <X aria-hidden size={15} />
        </IconButton>
      </div>
      {texts.length > 0 && <FieldErrors errors={texts} />}
      {hasItems(op) && (
        <fieldset className="mt-1 grid min-w-0 grid-cols-1 gap-3 border-l-2 pl-3">
          <legend className="sr-only">Items of condition {number}</legend>
          <ConditionRows
            group={where}
            onChange={(next) => onChange({ where: next })}
            errors={errors}
            path={`${path}.where`}
            prefix={`${number}.`}
            names={namesOfItem(names, row.path.trim())}
          />
        </fieldset>
      )}
    </div>
  );
}

const placeholders: Readonly<Partial<Record<ConditionDraft["op"], string>>> = {
  in: "paid, open",
  before: "7 days ago",
  after: "2026-11-21T10:00Z",
  matches: "^order-\\d+$",
};

/** The texts of a condition's own errors. Errors in conditions on items are shown there. */
function listTexts(errors: ActionErrors, path: string, isItems: boolean): readonly string[] {
  if (!isItems) return textsUnder(errors, path);
  return ["", ".path", ".op", ".where"].flatMap((part) => textsAt(errors, `${path}${part}`));
}

/** Turns `data.items[0].price` into `item.price`, for conditions on `data.items`. */
function namesOfItem(names: readonly Suggestion[], path: string): readonly Suggestion[] {
  const first = `${path}[0]`;
  return names.flatMap((name) =>
    name.label.startsWith(first) ? [{ ...name, ...renamed(name, first) }] : [],
  );
}

function renamed({ label, text }: Suggestion, first: string): Pick<Suggestion, "label" | "text"> {
  return { label: label.replace(first, "item"), text: text.replace(first, "item") };
}
