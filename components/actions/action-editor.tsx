"use client";

import { useRouter } from "next/navigation";
import { useEffect, useId, useMemo, useRef, useState, useTransition } from "react";
import { listNames } from "#components/template/complete-template.ts";
import { TemplateContext } from "#components/template/template-context.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { SavedAction } from "#lib/schema/action/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { listErrors } from "./action-errors.ts";
import { ActionForm } from "./action-form.tsx";
import { addToRequest } from "./add-to-request.ts";
import { type ActionDraft, readDraft } from "./draft/action-draft.ts";
import { type MappingDelivery, type MappingPayload, MappingSource } from "./mapping-source.tsx";
import { PreviewBadge, RequestPreview } from "./request-preview.tsx";
import { RunOnDelivery } from "./run-on-delivery.tsx";
import { PasteCurl, StartFrom } from "./start-from.tsx";
import { TestCall, type TestCallView } from "./test-call.tsx";
import {
  type PreviewDraft,
  type TallyFilter,
  useDraftPreview,
  useFilterTally,
  withoutName,
} from "./use-draft-preview.ts";
import { useInsertion } from "./use-insertion.ts";
import { startingFrom } from "./versions/starting-from.ts";

export type ActionEditorProps = {
  readonly draft: ActionDraft;
  /** Null: not saved yet. */
  readonly actionId: string | null;
  /** That the form starts from. Null: not saved yet. */
  readonly version: number | null;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  readonly hookPath: string;
  readonly deliveries: readonly MappingDelivery[];
  readonly eventTypes: readonly string[];
  /** The first to show; null if nothing has arrived. */
  readonly deliveryId: string | null;
  readonly payload: MappingPayload | null;
  readonly save: JsonCommand<SavedAction>;
  readonly previewDraft: PreviewDraft;
  readonly tallyFilter: TallyFilter;
  readonly sendDraft: (deliveryId: string, json: string) => Promise<CommandResult<TestCallView>>;
  /** Runs the saved action on a delivery and returns how many runs were queued. */
  readonly replay: (
    deliveryId: string,
    actionIds: readonly string[],
  ) => Promise<CommandResult<number>>;
  readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
  readonly listDeliveries: (
    eventType: string | undefined,
  ) => Promise<CommandResult<readonly MappingDelivery[]>>;
};

type Chosen = { readonly id: string; readonly payload: MappingPayload };

/** The action editor: a past delivery on the left, the request beside it, and a live preview. */
export function ActionEditor(props: ActionEditorProps) {
  const { hookPath } = props;
  const router = useRouter();
  const formId = useId();
  const [draft, setDraft] = useState(props.draft);
  const [savedDraft, setSavedDraft] = useState(props.draft);
  const [chosen, setChosen] = useState<Chosen | null>(firstChosen(props));
  const [saved, setSaved] = useState<CommandResult<SavedAction>>();
  const [version, setVersion] = useState(props.version);
  const [isPending, startTransition] = useTransition();
  const insertion = useInsertion(add);
  const preview = useDraftPreview(chosen?.id ?? null, draft, props.previewDraft);
  const tally = useFilterTally(draft.filter, props.tallyFilter);
  const errors = listErrors(saved, preview);
  const names = useMemo(() => (chosen === null ? [] : listNames(chosen.payload.tree)), [chosen]);
  const { onFocus, onInsert } = insertion;
  const templates = useMemo(() => ({ names, onFocus, onInsert }), [names, onFocus, onInsert]);
  const here = chosen === null ? "" : `?delivery=${chosen.id}`;
  const isDirty = JSON.stringify(draft) !== JSON.stringify(savedDraft);

  function change(next: Partial<ActionDraft>) {
    // Errors of the last save refer to the old draft.
    setSaved(undefined);
    setDraft((before) => ({ ...before, ...next }));
  }

  /** Adds a payload field when no request field has the cursor. */
  function add(path: string): string {
    const added = addToRequest(draft, path);
    if (added === null)
      return "Place the cursor where the value goes, then choose the field again.";
    change(added.change);
    toast(added.message);
    return added.message;
  }

  function save() {
    if (isPending) return;
    startTransition(async () => {
      const read = startingFrom(version, readDraft(draft));
      const result = await sendJson(read, props.save).catch(() => serverUnreachable);
      // With the end of `isPending`: a save pressed on seeing the result isn't ignored.
      startTransition(() => {
        setSaved(result);
        if (result.ok) setSavedDraft(draft);
      });
      if (!result.ok) return;
      setVersion(result.value.version);
      toast(
        draft.enabled ? "Saved. New deliveries run this action." : "Saved. The action is disabled.",
      );
      // A new action now has its own URL.
      if (props.actionId === null)
        startTransition(() => router.replace(`/actions/${result.value.id}${here}`));
    });
  }

  useSaveKey(save);

  const view = preview?.ok === true ? preview.value : null;
  return (
    <TemplateContext value={templates}>
      <UnsavedGuard isDirty={isDirty} />
      <div className="-mt-3 flex flex-wrap items-center gap-3 xl:-mx-4 2xl:-mx-16">
        {props.actionId === null ? <StartFrom onStart={change} /> : <PasteCurl onStart={change} />}
      </div>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)] xl:-mx-4 xl:grid-cols-[14.5rem_minmax(0,1fr)_19rem] xl:gap-4 2xl:-mx-16 2xl:gap-5 2xl:grid-cols-[20rem_minmax(0,1fr)_20rem]">
        <Card className="max-h-96 min-w-0 overflow-y-auto p-4 lg:sticky lg:top-4 lg:row-span-2 lg:max-h-[calc(100dvh-2rem)] xl:row-span-1">
          <h2 className="mb-3 font-semibold">Payload received</h2>
          {chosen === null ? (
            <p className="text-sm text-muted-foreground">
              No accepted deliveries yet. When the first one arrives, its fields appear here.{" "}
              <NextLink href={hookPath}>Send a test delivery from the hook's page</NextLink>
            </p>
          ) : (
            <MappingSource
              deliveries={props.deliveries}
              eventTypes={props.eventTypes}
              deliveryId={chosen.id}
              payload={chosen.payload}
              onChoose={(id, payload) => setChosen({ id, payload })}
              readPayload={props.readPayload}
              listDeliveries={props.listDeliveries}
              onPick={insertion.insert}
            />
          )}
          <p
            aria-live="polite"
            className="mt-3 text-sm break-words text-muted-foreground empty:hidden"
          >
            {insertion.message}
          </p>
        </Card>
        <Card className="min-w-0">
          <div className="p-4">
            <h2 className="mb-3 font-semibold">Action</h2>
            <ActionForm
              id={formId}
              draft={draft}
              onChange={change}
              onFocus={insertion.onFormFocus}
              onSubmit={save}
              storedAuth={props.storedAuth}
              errors={errors}
              resolved={view?.resolved ?? {}}
              rejection={saved?.ok === false ? saved : undefined}
              verdict={view?.verdict ?? null}
              tally={tally}
            />
          </div>
          <div
            data-commands="action"
            className="sticky bottom-0 flex flex-wrap items-center gap-3 rounded-b-lg border-t bg-card px-4 py-3"
          >
            <Button type="submit" form={formId} isBusy={isPending} title="Ctrl+S">
              Save action
            </Button>
            {props.actionId !== null && chosen !== null && !isDirty && (
              <RunOnDelivery
                actionId={props.actionId}
                deliveryId={chosen.id}
                replay={props.replay}
              />
            )}
            <SaveState isDirty={isDirty} rejection={saved?.ok === false ? saved.message : null} />
            <span className="ml-auto">{view !== null && <PreviewBadge preview={view} />}</span>
          </div>
        </Card>
        <Card className="grid min-w-0 grid-cols-1 gap-4 p-4 xl:sticky xl:top-4 xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto">
          <h2 className="font-semibold">Request preview</h2>
          {chosen !== null && (
            <TestCall
              method={draft.method}
              url={view !== null && view.code === null ? (view.request?.url ?? null) : null}
              send={() =>
                sendJson(readDraft(withoutName(draft)), (json) => props.sendDraft(chosen.id, json))
              }
            />
          )}
          {view === null ? (
            <p className="text-sm text-muted-foreground">
              {describeWaiting(chosen, draft, preview)}
            </p>
          ) : (
            <RequestPreview preview={view} />
          )}
        </Card>
      </div>
    </TemplateContext>
  );
}

/** Beside the button, because the error at the top of the form may be out of sight. */
function SaveState({ isDirty, rejection }: { isDirty: boolean; rejection: string | null }) {
  if (rejection !== null)
    return <span className="text-sm text-negative">Not saved. {rejection}</span>;
  return (
    <span aria-live="polite" className="text-sm text-muted-foreground">
      {isDirty && "Not saved yet"}
    </span>
  );
}

function firstChosen({ deliveryId, payload }: ActionEditorProps): Chosen | null {
  return deliveryId === null || payload === null ? null : { id: deliveryId, payload };
}

function describeWaiting(
  chosen: Chosen | null,
  { url }: ActionDraft,
  preview: CommandResult<unknown> | undefined,
): string {
  if (chosen === null) return "The request appears here after the hook accepts a delivery.";
  if (url.trim() === "") return "Enter a URL to preview the request.";
  return preview?.ok === false ? preview.message : "Loading preview…";
}

/** Ctrl+S and ⌘S anywhere on the page. */
function useSaveKey(onSave: () => void) {
  const latest = useRef(onSave);
  latest.current = onSave;

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey ||
        event.key.toLowerCase() !== "s"
      )
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
