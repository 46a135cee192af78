"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { ActionDraft } from "./action-draft.ts";
import { listErrors } from "./action-errors.ts";
import { ActionForm } from "./action-form.tsx";
import { type MappingPayload, MappingSource } from "./mapping-source.tsx";
import { RequestPreview } from "./request-preview.tsx";
import { Card } from "./ui/card.tsx";
import { notReached } from "./ui/not-reached.ts";
import { type PreviewDraft, useDraftPreview } from "./use-draft-preview.ts";
import { useInsertion } from "./use-insertion.ts";

export type ActionEditorProps = {
  readonly draft: ActionDraft;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  readonly hookPath: string;
  readonly deliveries: readonly { readonly id: string; readonly name: string; readonly receivedAt: Date }[];
  /** Of the newest delivery; null where nothing has arrived. */
  readonly payload: MappingPayload | null;
  readonly save: (draft: ActionDraft) => Promise<CommandResult<null>>;
  readonly previewDraft: PreviewDraft;
  readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
};

/** A past delivery on the left, the request in the middle, and what would be sent on the right. */
export function ActionEditor(props: ActionEditorProps) {
  const { deliveries, payload, hookPath } = props;
  const router = useRouter();
  const [draft, setDraft] = useState(props.draft);
  const [deliveryId, setDeliveryId] = useState(deliveries[0]?.id ?? null);
  const [saved, setSaved] = useState<CommandResult<null>>();
  const [isPending, startTransition] = useTransition();
  const insertion = useInsertion();
  const preview = useDraftPreview(deliveryId, draft, props.previewDraft);
  const errors = listErrors(saved, preview);

  function save() {
    startTransition(async () => {
      const result = await props.save(draft).catch(() => notReached);
      setSaved(result);
      if (result.ok) startTransition(() => router.push(hookPath));
    });
  }

  function change(next: Partial<ActionDraft>) {
    // What a refused save said is about what stood there then.
    setSaved(undefined);
    setDraft({ ...draft, ...next });
  }

  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2 xl:grid-cols-[17rem_minmax(0,1fr)_17rem]">
      <Card className="max-h-96 min-w-0 overflow-y-auto p-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)]">
        <h2 className="mb-3 font-semibold">What arrived</h2>
        {deliveryId === null || payload === null ? (
          <p className="text-sm text-muted-foreground">
            Nothing has been accepted by this hook yet. Once something has, its fields stand here to be put
            into the request.
          </p>
        ) : (
          <MappingSource
            deliveries={deliveries}
            deliveryId={deliveryId}
            onChoose={setDeliveryId}
            first={payload}
            readPayload={props.readPayload}
            onPick={insertion.insert}
          />
        )}
        <p aria-live="polite" className="mt-3 text-sm text-muted-foreground empty:hidden">
          {insertion.message}
        </p>
      </Card>
      <Card className="min-w-0 p-4">
        <h2 className="mb-3 font-semibold">Request</h2>
        <ActionForm
          draft={draft}
          onChange={change}
          onFocus={insertion.onFocus}
          onSubmit={save}
          isPending={isPending}
          storedAuth={props.storedAuth}
          errors={errors}
          message={saved?.ok === false ? saved.message : undefined}
        />
      </Card>
      <Card className="min-w-0 p-4 lg:col-start-2 xl:sticky xl:top-4 xl:col-start-3 xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto">
        <h2 className="mb-3 font-semibold">Preview</h2>
        <RequestPreview
          preview={preview?.ok === true ? preview.value : null}
          problem={
            deliveryId === null
              ? "The exact request stands here as soon as there is a delivery to make it of."
              : preview?.ok === false
                ? preview.message
                : null
          }
        />
      </Card>
    </div>
  );
}
