import { CheckField } from "#components/ui/form/check-field.tsx";

export type ReplayView = {
  readonly isPossible: boolean;
  readonly isOn: boolean;
  /** The default of the provider, and its reason. */
  readonly isOnByDefault: boolean;
  readonly why: string;
  readonly providerName: string;
};

type ReplayFieldProps = {
  readonly replay: ReplayView;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
};

/** Chooses whether signed bytes that arrive again are a duplicate, whatever their event id. */
export function ReplayField({ replay, isOn, onChange }: ReplayFieldProps) {
  const { isPossible, isOnByDefault, why, providerName } = replay;
  if (!isPossible) {
    return (
      <div className="grid gap-1 text-sm">
        <h3 className="font-medium">Replay protection</h3>
        <p className="text-muted-foreground">
          Not available for {providerName}, because {why}.
        </p>
      </div>
    );
  }
  return (
    <CheckField
      label="Replay protection"
      text={
        "Someone who captured a delivery can send it again under another id. With replay " +
        "protection, the same signed content is a duplicate, whatever its id. " +
        (isOnByDefault
          ? `On by default for ${providerName}, because ${why}.`
          : `Off by default for ${providerName}, because ${why}. Turn it on only if no ` +
            "two of your events are identical: the second would run nothing.")
      }
      checked={isOn}
      onChange={onChange}
    />
  );
}
