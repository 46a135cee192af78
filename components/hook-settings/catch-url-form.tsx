"use client";

import { useState } from "react";
import { LocalUrlNotice } from "#components/hooks/local-url-notice.tsx";
import { type PasteInstructions, WhereToPaste } from "#components/hooks/where-to-paste.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { PathForm, type PathFormProps } from "./path-form.tsx";

export type RotateCatchUrl = (
  hookId: string,
  rotation: { readonly keyPrefix?: string; readonly expirePreviousAfterSeconds: number },
) => Promise<CommandResult<null>>;
export type EndPreviousCatchUrls = (hookId: string) => Promise<CommandResult<null>>;

type CatchUrlFormProps = {
  readonly hook: PasteInstructions &
    PathFormProps["hook"] & {
      readonly catchUrl: string;
      readonly localHost: string | null;
    };
  /** Replaced URLs that still work, newest first. */
  readonly previous: readonly { readonly catchUrl: string; readonly expiresAt: Date }[];
  readonly nowMs: number;
  readonly save: PathFormProps["save"];
  readonly rotate: RotateCatchUrl;
  readonly endPrevious: EndPreviousCatchUrls;
};

const overlaps = [
  { seconds: 3_600, words: "1 hour" },
  { seconds: 86_400, words: "24 hours" },
  { seconds: 604_800, words: "7 days" },
  { seconds: 2_592_000, words: "30 days" },
  { seconds: 0, words: "Expire it now" },
] as const;

/** The catch URL, with instructions for pasting it and for replacing it if it has leaked. */
export function CatchUrlForm({
  hook,
  previous,
  nowMs,
  save,
  rotate,
  endPrevious,
}: CatchUrlFormProps) {
  const [seconds, setSeconds] = useState(86_400);
  const [prefix, setPrefix] = useState("");
  return (
    <div className="grid grid-cols-1 gap-4">
      <CopyLine text={hook.catchUrl} what="catch URL" />
      <LocalUrlNotice localHost={hook.localHost} providerName={hook.knownProviderName} />
      <WhereToPaste instructions={hook} />
      {previous.length > 0 && (
        <div className="grid grid-cols-1 gap-3 rounded-md border p-3.5">
          <h3 className="text-sm font-medium">
            {previous.length === 1 ? "The previous URL still works" : "Previous URLs still work"}
          </h3>
          <ul className="grid grid-cols-1 gap-3">
            {previous.map(({ catchUrl, expiresAt }) => (
              <li key={catchUrl} className="grid min-w-0 gap-1 text-sm">
                <code className="font-mono text-xs wrap-anywhere">{catchUrl}</code>
                <span className="text-muted-foreground">
                  Until <UntilTime untilMs={expiresAt.getTime()} nowMs={nowMs} />
                </span>
              </li>
            ))}
          </ul>
          <div>
            <ConfirmButton
              label={previous.length === 1 ? "Expire previous URL" : "Expire previous URLs"}
              look="secondary"
              title="Expire previous URLs?"
              keepLabel="Cancel"
              confirmLabel="Expire now"
              run={() => endPrevious(hook.id)}
            >
              <p>Requests to these URLs get 404, and their events are lost.</p>
            </ConfirmButton>
          </div>
        </div>
      )}
      <PathForm hook={hook} save={save} />
      <hr />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Keep the current URL working for"
          name="urlOverlap"
          value={String(seconds)}
          onChange={(event) => setSeconds(Number(event.target.value))}
        >
          {overlaps.map((overlap) => (
            <option key={overlap.seconds} value={overlap.seconds}>
              {overlap.words}
            </option>
          ))}
        </SelectField>
        <TextField
          label="URL prefix (optional)"
          name="urlPrefix"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="orders"
          value={prefix}
          onChange={(event) => setPrefix(event.target.value)}
        />
      </div>
      <div>
        <ConfirmButton
          label="Rotate catch URL"
          look="secondary"
          title="Rotate the catch URL?"
          keepLabel="Cancel"
          confirmLabel="Rotate URL"
          run={() =>
            rotate(hook.id, {
              ...(prefix === "" ? {} : { keyPrefix: prefix }),
              expirePreviousAfterSeconds: seconds,
            })
          }
        >
          {hook.path !== null && <p>The new URL is a generated one, without the path.</p>}
          <p>
            {seconds === 0
              ? "The hook gets a new URL, and the current one returns 404 immediately."
              : "The hook gets a new URL. Paste it into " +
                `${hook.knownProviderName ?? "the other system"} while the current ` +
                "one still works."}
          </p>
        </ConfirmButton>
      </div>
    </div>
  );
}
