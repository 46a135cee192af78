import type { ReactNode } from "react";
import { TextField } from "#components/ui/form/field.tsx";
import { toSlug } from "#components/ui/text/to-slug.ts";

type PathFieldProps = {
  /** The catch URL before the hook's own part. */
  readonly catchPrefix: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why this hook needs a URL that no one can guess. Null: it can have a path. */
  readonly whyNoPath: string | null;
  readonly error: string | undefined;
  /** The hint, if the hook can have a path. */
  readonly children: ReactNode;
};

export const pathHint =
  "The end of the URL instead of a random one. It can be guessed, but only signed deliveries are accepted.";

/** A readable end of the catch URL, for hooks that verify. */
export function PathField({
  catchPrefix,
  value,
  onChange,
  whyNoPath,
  error,
  children,
}: PathFieldProps) {
  return (
    <TextField
      label="URL path (optional)"
      name="path"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={whyNoPath === null ? "stripe" : undefined}
      className="disabled:cursor-not-allowed disabled:bg-muted"
      // A path that is there can be removed whatever the provider is.
      disabled={whyNoPath !== null && value === ""}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint={
        <>
          {whyNoPath === null ? children : `Not available: ${whyNoPath}.`}
          {value !== "" && <UrlExample start={catchPrefix} own={value} />}
        </>
      }
      error={error}
    />
  );
}

type HookUrl = { readonly path: string; readonly prefix: string };

type UrlFieldsProps = {
  readonly catchPrefix: string;
  readonly value: HookUrl;
  readonly onChange: (value: HookUrl) => void;
  readonly whyNoPath: string | null;
  readonly fields: Readonly<Record<string, string | undefined>>;
};

/** Changing it later means a new URL, which has to be pasted into the provider's settings. */
export function UrlFields({ catchPrefix, value, onChange, whyNoPath, fields }: UrlFieldsProps) {
  const { path, prefix } = value;
  const hasError = fields.path !== undefined || fields.keyPrefix !== undefined;
  return (
    <details className="group text-sm" open={hasError || undefined}>
      <summary className="cursor-pointer rounded-sm text-muted-foreground hover:text-foreground">
        Customize the URL
      </summary>
      <div className="mt-3 grid grid-cols-1 gap-4">
        <PathField
          catchPrefix={catchPrefix}
          value={path}
          onChange={(next) => onChange({ path: next, prefix: "" })}
          whyNoPath={whyNoPath}
          error={fields.path}
        >
          {pathHint}
        </PathField>
        {path === "" && (
          <TextField
            label="URL prefix (optional)"
            name="keyPrefix"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="orders"
            value={prefix}
            onChange={(event) => onChange({ path: "", prefix: toSlug(event.target.value) })}
            hint={
              <>
                A random part follows it. To change it later, rotate the URL.
                <UrlExample
                  start={catchPrefix}
                  own={prefix === "" ? "" : `${prefix}-`}
                  end="5wq0f2…"
                />
              </>
            }
            error={fields.keyPrefix}
          />
        )}
      </div>
    </details>
  );
}

type UrlExampleProps = { readonly start: string; readonly own: string; readonly end?: string };

function UrlExample({ start, own, end }: UrlExampleProps) {
  return (
    <span className="mt-1 block font-mono text-xs wrap-anywhere">
      {start}
      <span className="font-medium text-foreground">{own}</span>
      {end}
    </span>
  );
}
