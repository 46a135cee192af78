"use client";

import type { ReactNode } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { DiscardDraft } from "../stored/discard-draft.tsx";
import { ShowVersionChanges } from "../stored/show-version-changes.tsx";
import type { StoredDraftState } from "../stored/use-stored-draft.ts";
import type { EditorPart } from "./use-editor.ts";

/** Notices about a draft that isn't saved, or whose action has changed. */
export function DraftNotice({ editor: { page, state, send, saving, stored } }: EditorPart) {
  const { version } = state.base;
  const current = Math.max(page.action.version ?? 0, stored.state.currentVersion ?? 0);
  return (
    <>
      <Problem {...stored} />
      {saving.isDirty && version !== null && current > version && (
        <Notice tone="caution">
          <Line
            text={
              `This action was changed after you started this draft: it is at version ${current}, ` +
              `and the draft started from version ${version}.`
            }
          >
            <ShowVersionChanges
              from={version}
              show={() => page.commands.drafts.showChanges(version)}
            />
            <Button
              look="secondary"
              className="h-8"
              onClick={() => send({ kind: "version_kept", version: current })}
            >
              Keep my draft
            </Button>
            <DiscardDraft look="secondary" discard={stored.discard} />
          </Line>
        </Notice>
      )}
    </>
  );
}

function Problem({ state: { status, message }, overwrite, takeOther }: StoredDraftState) {
  switch (status) {
    case "none":
    case "pending":
    case "stored":
      return null;
    case "signed_out":
      return (
        <Notice tone="negative">
          <Line text="Your session has ended, so this draft isn't saved. Sign in again, and it is.">
            <a href="/sign-in" target="_blank" rel="noreferrer" className="underline">
              Sign in in a new tab
            </a>
          </Line>
        </Notice>
      );
    case "unreachable":
      return (
        <Notice tone="negative">
          The server can't be reached, so this draft isn't saved. It is tried again every few
          seconds. Keep this tab open.
        </Notice>
      );
    case "rejected":
      return <Notice tone="negative">This draft can't be kept. {message}</Notice>;
    case "conflict":
      return (
        <Notice tone="caution">
          <Line text="You have changed this draft in another tab. Only one of the two can be kept.">
            <Button look="secondary" className="h-8" onClick={overwrite}>
              Keep this one
            </Button>
            <Button look="secondary" className="h-8" onClick={takeOther}>
              Use the other one
            </Button>
          </Line>
        </Notice>
      );
    default:
      return status satisfies never;
  }
}

function Line({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="min-w-0 flex-1 basis-72">{text}</span>
      <span className="flex flex-wrap items-center gap-2">{children}</span>
    </div>
  );
}
