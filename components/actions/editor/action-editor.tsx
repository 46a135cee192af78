"use client";

import { TemplateContext } from "#components/template/template-context.tsx";
import { StepsDrawing } from "../steps/steps-drawing.tsx";
import type { ActionEditorProps } from "./action-editor-props.ts";
import { ActionForm } from "./action-form.tsx";
import { DraftNotice } from "./draft-notice.tsx";
import { EditorBacktest } from "./editor-backtest.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { EditorColumns } from "./editor-columns.tsx";
import { EditorStarts } from "./editor-starts.tsx";
import { EditorTop } from "./editor-top.tsx";
import { PayloadColumn } from "./payload-column.tsx";
import { StepSide } from "./step-side.tsx";
import { useEditor } from "./use-editor.ts";

/** The action editor: a past delivery on the left, the steps beside it, and a live preview. */
export function ActionEditor(page: ActionEditorProps) {
  const editor = useEditor(page);
  const { state, send } = editor;
  const isNew = page.action.id === null;
  const starts = <EditorStarts editor={editor} />;
  return (
    <TemplateContext value={editor.templates}>
      <div inert={editor.saving.isInert} className="contents">
        <DraftNotice editor={editor} />
        <EditorTop editor={editor}>{!isNew && starts}</EditorTop>
        {isNew && starts}
        {!editor.shown.isSimple && (
          <StepsDrawing
            steps={state.draft.steps}
            openId={state.openId}
            onOpen={(id) => send({ kind: "step_opened", id })}
          />
        )}
        <EditorColumns
          payload={<PayloadColumn editor={editor} />}
          form={<ActionForm editor={editor} />}
          preview={<StepSide editor={editor} />}
          bar={<EditorBar editor={editor} />}
        />
        <EditorBacktest editor={editor} />
      </div>
    </TemplateContext>
  );
}
