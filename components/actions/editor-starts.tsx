import type { ActionStart } from "./draft/action-presets.ts";
import { PasteExample, type ProposeExample } from "./example/paste-example.tsx";
import { PasteCurl, StartFrom } from "./start-from.tsx";
import type { TemplateStart } from "./templates/list-template-starts.ts";
import { TemplateList } from "./templates/template-list.tsx";

type EditorStartsProps = {
  readonly isNew: boolean;
  /** Null: no delivery to map has arrived. */
  readonly deliveryId: string | null;
  readonly proposeExample: ProposeExample;
  readonly templates: readonly TemplateStart[];
  readonly onStart: (start: ActionStart) => void;
  readonly onTemplate: (template: TemplateStart) => void;
};

/** The buttons that fill in an action or its expanded call. */
export function EditorStarts(props: EditorStartsProps) {
  const { isNew, deliveryId, proposeExample, templates, onStart, onTemplate } = props;
  return (
    <div className="-mt-3 flex flex-wrap items-center gap-2 xl:-mx-4 2xl:-mx-16">
      {isNew ? <StartFrom onStart={onStart} /> : <PasteCurl onStart={onStart} />}
      <PasteExample deliveryId={deliveryId} propose={proposeExample} onStart={onStart} />
      <TemplateList templates={templates} onTemplate={onTemplate} />
    </div>
  );
}
