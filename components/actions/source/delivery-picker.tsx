"use client";

import { classNames } from "#components/ui/class-names.ts";
import { ComboList, comboboxProps, useCombobox } from "#components/ui/form/combobox.tsx";
import { control, FieldFrame } from "#components/ui/form/field.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeOption, type MappingDelivery } from "./mapping-delivery.ts";

type DeliveryPickerProps = {
  /** The latest ones, offered without a search. */
  readonly deliveries: readonly MappingDelivery[];
  readonly chosen: MappingDelivery;
  /** Finds deliveries by id, event type, or a text in the payload. */
  readonly search: (text: string) => Promise<CommandResult<readonly MappingDelivery[]>>;
  readonly onChoose: (delivery: MappingDelivery) => void;
};

const typingMs = 250;

/** The delivery to map, found by its event id or anything in it. */
export function DeliveryPicker({ deliveries, chosen, search, onChoose }: DeliveryPickerProps) {
  const combo = useCombobox();
  const timeZone = useTimeZone() ?? "UTC";
  const wanted = combo.text?.trim() ?? "";
  const found = useLatestResponse(wanted === "" ? null : wanted, typingMs, async (question) => ({
    question,
    result: await search(question).catch(() => serverUnreachable),
  }));
  const isDone = wanted === "" || found?.question === wanted;
  const options = wanted === "" ? deliveries : found?.result.ok === true ? found.result.value : [];
  const none = found?.result.ok === false ? found.result.message : "No results";
  const shown = describeOption(chosen, timeZone);
  const offer = {
    combo,
    options,
    choose(delivery: MappingDelivery) {
      combo.close();
      onChoose(delivery);
    },
  };

  function open(text: string) {
    const at = text === "" ? deliveries.findIndex((one) => one.id === chosen.id) : 0;
    combo.open(text, Math.max(0, at));
  }

  return (
    <FieldFrame id={combo.id} label="Delivery">
      <div className="relative">
        <input
          {...comboboxProps({ ...offer, open: () => open(""), isDone })}
          placeholder="Search id, type, or payload"
          value={combo.text ?? safeText(`${shown.title}, ${shown.details}`)}
          onChange={(event) => open(event.target.value)}
          className={classNames(control, "truncate")}
        />
        <ComboList
          {...offer}
          label="Deliveries"
          keyOf={(delivery) => delivery.id}
          status={isDone ? (options.length === 0 ? none : "") : "Searching…"}
        >
          {(delivery) => {
            const { title, details } = describeOption(delivery, timeZone);
            return (
              <span
                className={classNames(
                  "grid gap-0.5 text-sm",
                  delivery.id === chosen.id && "font-medium",
                )}
              >
                <span>{safeText(title)}</span>
                <span className="text-xs text-muted-foreground">{safeText(details)}</span>
              </span>
            );
          }}
        </ComboList>
      </div>
    </FieldFrame>
  );
}
