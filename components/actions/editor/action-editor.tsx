"use client";

import { TemplateContext } from "#components/template/template-context.tsx";
import { UrlTabs } from "#components/ui/layout/url-tabs.tsx";
import { StepsDrawing } from "../steps/steps-drawing.tsx";
import type { ActionEditorProps } from "./action-editor-props.ts";
import { ActionForm } from "./action-form.tsx";
import { DraftNotice } from "./draft-notice.tsx";
import { EditorBacktest } from "./editor-backtest.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { EditorColumns } from "./editor-columns.tsx";
import { EditorHead } from "./editor-head.tsx";
import { EditorStarts } from "./editor-starts.tsx";
import { PayloadColumn } from "./payload-column.tsx";
import { StepSide } from "./step-side.tsx";
import { toStepsProps } from "./to-steps-props.ts";
import { type EditorPart, useEditor } from "./use-editor.ts";

/** The action editor: a past delivery on the left, the steps beside it, and a live preview. */
export function ActionEditor(page: ActionEditorProps) {
  const editor = useEditor(page);
  const { saved } = page;
  const panel = <EditorPanel editor={editor} />;
  const starts = <EditorStarts editor={editor} />;
  return (
    <TemplateContext value={editor.templates}>
      <div inert={editor.saving.isInert} className="editor">
        <EditorHead editor={editor}>{saved?.commands}</EditorHead>
        {saved === null ? (
          <div className="tall-panel">
            {starts}
            {panel}
          </div>
        ) : (
          <UrlTabs
            label="Action"
            tabs={[
              { id: "editor", title: "Editor", panel },
              { id: "activity", title: saved.activityTitle, panel: saved.activity },
            ]}
            aside={starts}
            isTall
          />
        )}
        <EditorBacktest editor={editor} />
      </div>
    </TemplateContext>
  );
}

function EditorPanel({ editor }: EditorPart) {
  return (
    <>
      {editor.page.notice}
      <DraftNotice editor={editor} />
      {!editor.shown.isSimple && <StepsDrawing {...toStepsProps(editor)} />}
      <EditorColumns
        payload={<PayloadColumn editor={editor} />}
        form={<ActionForm editor={editor} />}
        preview={<StepSide editor={editor} />}
        bar={<EditorBar editor={editor} />}
      />
    </>
  );
}
