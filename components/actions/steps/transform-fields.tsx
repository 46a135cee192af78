import { useId } from "react";
import { CodeEditor } from "#components/ui/code/code-editor.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { type ActionErrors, textsAt } from "../draft/action-errors.ts";
import type { TransformWork } from "../draft/step-draft.ts";
import type { StepPreviewView } from "../draft/step-views.ts";

type TransformFieldsProps = {
  readonly work: TransformWork;
  readonly onChange: (work: TransformWork) => void;
  readonly errors: ActionErrors;
  readonly preview: StepPreviewView | null;
};

/** The code of a transform, with what it gives for the chosen delivery. */
export function TransformFields({ work, onChange, errors, preview }: TransformFieldsProps) {
  const id = useId();
  const texts = textsAt(errors, "code");
  return (
    <div className="grid min-w-0 gap-1.5">
      <span id={`${id}-label`} className="text-sm font-medium">
        Code
      </span>
      <CodeEditor
        id={id}
        describedBy={texts.length > 0 ? `${id}-errors` : undefined}
        isInvalid={texts.length > 0}
        rows={10}
        value={work.code}
        onChange={(code) => onChange({ ...work, code })}
      />
      {texts.length > 0 && <FieldErrors id={`${id}-errors`} errors={texts} />}
      {preview?.value != null && <TextBlock label="Value" text={preview.value} cutNote={null} />}
    </div>
  );
}
