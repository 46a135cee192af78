const editorStarts = ["templates", "curl", "example"] as const;

/** A dialog with which a new action begins. */
export type EditorStart = (typeof editorStarts)[number];

/** Reads it from a URL. Null: the form is empty at first. */
export function readEditorStart(value: string | readonly string[] | undefined): EditorStart | null {
  return editorStarts.find((start) => start === value) ?? null;
}
