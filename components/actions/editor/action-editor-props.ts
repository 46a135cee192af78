import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { StepPreviewView, StepRunView, StoredAuths } from "../draft/step-views.ts";
import type { ProposeExample } from "../example/paste-example.tsx";
import type { MappingDelivery } from "../source/mapping-delivery.ts";
import type { ListMappingDeliveries, MappingPayload } from "../source/mapping-source.tsx";
import type { StoredDraftProps } from "../stored/use-stored-draft.ts";
import type { EditorStart } from "../templates/editor-start.ts";
import type { TemplateStart } from "../templates/list-template-starts.ts";
import type { BacktestProps } from "./editor-backtest.tsx";
import type { RunOnDeliveryProps } from "./run-on-delivery.tsx";
import type { TallyFilter } from "./use-filter-tally.ts";
import type { SaveAction } from "./use-save-action.ts";
import type { StepCommand } from "./use-step-preview.ts";

export type ActionEditorProps = StoredDraftProps &
  BacktestProps & {
    /** Null: not saved yet. */
    readonly actionId: string | null;
    readonly storedAuths: StoredAuths;
    readonly hookPath: string;
    readonly deliveries: readonly MappingDelivery[];
    readonly eventTypes: readonly string[];
    /** The first delivery to show. Null if nothing has arrived. */
    readonly deliveryId: string | null;
    readonly payload: MappingPayload | null;
    readonly save: SaveAction;
    readonly previewStep: StepCommand<StepPreviewView>;
    readonly runStep: StepCommand<StepRunView>;
    readonly tallyFilter: TallyFilter;
    readonly proposeExample: ProposeExample;
    /** Templates for a new action. Those for its hook's provider come first. */
    readonly templates?: readonly TemplateStart[];
    /** The dialog that is open at first. */
    readonly startWith?: EditorStart | null;
    /** Runs the saved action on a delivery and returns how many runs were queued. */
    readonly replay: RunOnDeliveryProps["replay"];
    readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
    readonly listDeliveries: ListMappingDeliveries;
  };
