import type { ActionStart } from "../draft/action-presets.ts";
import { PasteExample } from "../example/paste-example.tsx";
import { TemplateList } from "../templates/template-list.tsx";
import { PasteCurl, StartFrom } from "./start-from.tsx";
import type { EditorPart } from "./use-editor.ts";

/** The buttons that fill in an action or its expanded call. */
export function EditorStarts({ editor: { page, state, send } }: EditorPart) {
  const startWith = page.starts?.startWith ?? null;
  const start = (given: ActionStart) => send({ kind: "started", start: given });
  const curl = <PasteCurl startsOpen={startWith === "curl"} onStart={start} />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {page.action.id === null ? <StartFrom onStart={start}>{curl}</StartFrom> : curl}
      <PasteExample
        startsOpen={startWith === "example"}
        deliveryId={state.chosen?.delivery.id ?? null}
        hookPath={page.source.hookPath}
        propose={page.commands.proposeExample}
        onStart={start}
      />
      <TemplateList
        startsOpen={startWith === "templates"}
        templates={page.starts?.templates ?? []}
        onTemplate={({ draft }) => send({ kind: "template_chosen", draft })}
      />
    </div>
  );
}
