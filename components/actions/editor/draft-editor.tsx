"use client";

import { useRestart } from "../stored/use-stored-draft.ts";
import { ActionEditor } from "./action-editor.tsx";
import type { ActionEditorProps } from "./action-editor-props.ts";

/** The editor, which begins again when its draft is discarded or replaced. */
export function DraftEditor(props: Omit<ActionEditorProps, "restart">) {
  const { generation, restart } = useRestart();
  return <ActionEditor key={generation} {...props} restart={restart} />;
}
