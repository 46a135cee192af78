"use client";

import { useRouter } from "next/navigation";
import { useEffect, useId, useMemo, useRef, useState, useTransition } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { ActionDraft } from "./action-draft.ts";
import { listErrors } from "./action-errors.ts";
import { ActionForm } from "./action-form.tsx";
import { listNames } from "./complete-template.ts";
import { type MappingDelivery, type MappingPayload, MappingSource } from "./mapping-source.tsx";
import { PreviewBadge, RequestPreview } from "./request-preview.tsx";
import { PasteCurl, StartFrom } from "./start-from.tsx";
import { TemplateNamesProvider } from "./template-names.tsx";
import { TestCall, type TestCallView } from "./test-call.tsx";
import { Button } from "./ui/button.tsx";
import { Card } from "./ui/card.tsx";
import { notReached } from "./ui/not-reached.ts";
import { Onward } from "./ui/onward.tsx";
import { toast } from "./ui/toast.ts";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import {
  type JudgeFilter,
  type PreviewDraft,
  useDraftPreview,
  useFilterTally,
  withoutName,
} from "./use-draft-preview.ts";
import { useInsertion } from "./use-insertion.ts";

export type ActionEditorProps = {
  readonly draft: ActionDraft;
  readonly isNew: boolean;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  readonly hookPath: string;
  readonly deliveries: readonly MappingDelivery[];
  readonly eventTypes: readonly string[];
  /** The one that is looked at first; null where nothing has arrived. */
  readonly deliveryId: string | null;
  readonly payload: MappingPayload | null;
  readonly save: (draft: ActionDraft) => Promise<CommandResult<string>>;
  readonly previewDraft: PreviewDraft;
  readonly judgeFilter: JudgeFilter;
  readonly sendDraft: (deliveryId: string, draft: ActionDraft) => Promise<CommandResult<TestCallView>>;
  readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
  readonly listDeliveries: (
    eventType: string | undefined,
  ) => Promise<CommandResult<readonly MappingDelivery[]>>;
};

type Chosen = { readonly id: string; readonly payload: MappingPayload };

/** A past delivery on the left, the request beside it, and what would be sent, live. */
export function ActionEditor(props: ActionEditorProps) {
  const { hookPath } = props;
  const router = useRouter();
  const formId = useId();
  const [draft, setDraft] = useState(props.draft);
  const [kept, setKept] = useState(props.draft);
  const [chosen, setChosen] = useState<Chosen | null>(firstChosen(props));
  const [saved, setSaved] = useState<CommandResult<string>>();
  const [isPending, startTransition] = useTransition();
  const insertion = useInsertion();
  const preview = useDraftPreview(chosen?.id ?? null, draft, props.previewDraft);
  const tally = useFilterTally(draft, props.judgeFilter);
  const errors = listErrors(saved, preview);
  const names = useMemo(() => (chosen === null ? [] : listNames(chosen.payload.tree)), [chosen]);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(kept);

  function change(next: Partial<ActionDraft>) {
    // What a refused save said is about what stood there then.
    setSaved(undefined);
    setDraft((before) => ({ ...before, ...next }));
  }

  function save(after: (id: string) => void) {
    startTransition(async () => {
      const result = await props.save(draft).catch(() => notReached);
      setSaved(result);
      if (!result.ok) return;
      setKept(draft);
      startTransition(() => after(result.value));
    });
  }

  useSaveKey(() => {
    if (isPending) return;
    save((id) => {
      toast("Saved.");
      // A new action has an address of its own from now on.
      if (props.isNew) router.replace(`/actions/${id}`);
    });
  });

  const view = preview?.ok === true ? preview.value : null;
  return (
    <TemplateNamesProvider names={names}>
      <UnsavedGuard isDirty={isDirty} />
      <div className="-mt-3 flex flex-wrap items-center gap-3 2xl:-mx-16">
        {props.isNew ? <StartFrom onStart={change} /> : <PasteCurl onStart={change} />}
      </div>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[19rem_minmax(0,1fr)] 2xl:-mx-16 2xl:grid-cols-[20rem_minmax(0,1fr)_20rem]">
        <Card className="max-h-96 min-w-0 overflow-y-auto p-4 lg:sticky lg:top-4 lg:row-span-2 lg:max-h-[calc(100dvh-2rem)] 2xl:row-span-1">
          <h2 className="mb-3 font-semibold">What arrived</h2>
          {chosen === null ? (
            <p className="text-sm text-muted-foreground">
              Nothing has been accepted by this hook yet. Once something has, its fields stand here to be put
              into the request. <Onward href={hookPath}>Send a test delivery from the hook's page</Onward>
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
          <p aria-live="polite" className="mt-3 text-sm break-words text-muted-foreground empty:hidden">
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
              onFocus={insertion.onFocus}
              onInput={insertion.onInput}
              onSubmit={() => save(() => router.push(hookPath))}
              storedAuth={props.storedAuth}
              errors={errors}
              message={saved?.ok === false ? saved.message : undefined}
              verdict={view?.verdict ?? null}
              tally={tally}
            />
          </div>
          <div className="sticky bottom-0 flex flex-wrap items-center gap-3 rounded-b-lg border-t bg-card px-4 py-3">
            <Button type="submit" form={formId} isBusy={isPending} title="Ctrl+S saves and stays here">
              Save action
            </Button>
            <span aria-live="polite" className="text-sm text-muted-foreground">
              {isDirty && "Not saved yet"}
            </span>
            <span className="ml-auto">{view !== null && <PreviewBadge preview={view} />}</span>
          </div>
        </Card>
        <Card className="grid min-w-0 grid-cols-1 gap-4 p-4 2xl:sticky 2xl:top-4 2xl:max-h-[calc(100dvh-2rem)] 2xl:overflow-y-auto">
          <h2 className="font-semibold">What would be sent</h2>
          {view === null ? (
            <p className="text-sm text-muted-foreground">{describeWaiting(chosen, draft, preview)}</p>
          ) : (
            <RequestPreview preview={view} />
          )}
          {chosen !== null && (
            <TestCall
              method={draft.method}
              url={view !== null && view.code === null ? (view.request?.url ?? null) : null}
              send={() => props.sendDraft(chosen.id, withoutName(draft))}
            />
          )}
        </Card>
      </div>
    </TemplateNamesProvider>
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
  if (chosen === null) return "The exact request stands here as soon as there is a delivery to make it of.";
  if (url.trim() === "") return "The exact request stands here as soon as there is a URL to call.";
  return preview?.ok === false ? preview.message : "Working it out…";
}

/** Ctrl+S and ⌘S, wherever on the page. */
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
