import type { ActionStart } from "../draft/action-presets.ts";
import { PasteExample, type ProposeExample } from "../example/paste-example.tsx";
import type { EditorStart } from "../templates/editor-start.ts";
import type { TemplateStart } from "../templates/list-template-starts.ts";
import { TemplateList } from "../templates/template-list.tsx";
import { PasteCurl, StartFrom } from "./start-from.tsx";

type EditorStartsProps = {
  readonly isNew: boolean;
  /** The dialog that is open at first. */
  readonly startWith: EditorStart | null;
  /** Null: no delivery to map has arrived. */
  readonly deliveryId: string | null;
  readonly hookPath: string;
  readonly proposeExample: ProposeExample;
  readonly templates: readonly TemplateStart[];
  readonly onStart: (start: ActionStart) => void;
  readonly onTemplate: (template: TemplateStart) => void;
};

/** The buttons that fill in an action or its expanded call. */
export function EditorStarts(props: EditorStartsProps) {
  const { isNew, startWith, deliveryId, proposeExample, templates, onStart, onTemplate } = props;
  const curl = <PasteCurl startsOpen={startWith === "curl"} onStart={onStart} />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isNew ? <StartFrom onStart={onStart}>{curl}</StartFrom> : curl}
      <PasteExample
        startsOpen={startWith === "example"}
        deliveryId={deliveryId}
        hookPath={props.hookPath}
        propose={proposeExample}
        onStart={onStart}
      />
      <TemplateList
        startsOpen={startWith === "templates"}
        templates={templates}
        onTemplate={onTemplate}
      />
    </div>
  );
}
