"use client";

import { useId, useMemo } from "react";
import { useTemplateContext } from "#components/template/template-context.tsx";
import { CodeEditor } from "#components/ui/code/code-editor.tsx";
import { useErrorMarks } from "#components/ui/code/use-error-marks.ts";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { formatBody } from "#components/ui/text/format-body.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { errorsAt, textsAt } from "../draft/action-errors.ts";
import { applyCode, completeCode, toCodeNames } from "./complete-code.ts";
import type { KindFieldsProps, KindView } from "./kind-view.ts";

/** JavaScript whose value later steps use. */
export const transformView: KindView<"transform"> = {
  label: "Transform",
  shortLabel: "Transform",
  hasItems: false,
  summarize: () => "Runs JavaScript",
  Fields: TransformFields,
};

/** The code of a transform, with its result for the chosen delivery. */
function TransformFields({ work, onChange, errors, preview }: KindFieldsProps<"transform">) {
  const id = useId();
  const { names, onCursor } = useTemplateContext();
  const known = useMemo(() => toCodeNames(names), [names]);
  const texts = textsAt(errors, "code");
  const [first] = errorsAt(errors, "code");
  const marks = useErrorMarks(first?.line, first?.column);
  const describedBy = [`${id}-hint`, ...(texts.length > 0 ? [`${id}-errors`] : [])].join(" ");
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1.5">
      <span id={`${id}-label`} className="text-sm font-medium">
        Code
      </span>
      <CodeEditor
        id={id}
        describedBy={describedBy}
        isInvalid={texts.length > 0}
        language="javascript"
        rows={10}
        value={work.code}
        onChange={(code) => onChange({ ...work, code })}
        completer={{
          complete: (text, cursor) => completeCode(text, cursor, known),
          apply: applyCode,
        }}
        marks={marks}
        onCursor={(editor) =>
          onCursor({
            name: "Code",
            insert: (path) => {
              const [name] = toCodeNames([{ label: path, text: path, detail: "", kind: "" }]);
              return editor.insert(() => ({ text: name?.text ?? path, replaces: 0 }));
            },
          })
        }
      />
      <p id={`${id}-hint`} className="text-sm text-muted-foreground">
        A function of the delivery and of earlier steps. It has 100 ms and no access to network,
        files, or the clock.
      </p>
      {texts.length > 0 && <FieldErrors id={`${id}-errors`} errors={texts} />}
      {preview?.value != null && (
        <div aria-live="polite" className="mt-2 grid min-w-0 grid-cols-1 gap-1.5">
          <span aria-hidden className="text-sm font-medium">
            Output for this delivery
          </span>
          <TextBlock
            label="Output for this delivery"
            text={formatBody(preview.value) ?? preview.value}
            keepsLines
          />
        </div>
      )}
    </div>
  );
}
