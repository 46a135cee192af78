import type { ReactNode } from "react";
import type { BacktestCommands } from "#components/backtest/backtest-panel.tsx";
import type { ListVersions } from "#components/backtest/version-choice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import type { StepPreviewView, StepRunView, StoredAuths } from "../draft/step-views.ts";
import type { ProposeExample } from "../example/paste-example.tsx";
import type { MappingDelivery } from "../source/mapping-delivery.ts";
import type { ListMappingDeliveries, MappingPayload } from "../source/mapping-source.tsx";
import type { StoredDraftView } from "../stored/draft-copies.ts";
import type { StoredDraftCommands } from "../stored/use-stored-draft.ts";
import type { EditorStart } from "../templates/editor-start.ts";
import type { TemplateStart } from "../templates/list-template-starts.ts";
import type { StartBacktest } from "./backtest-draft.tsx";
import type { RunOnDeliveryProps } from "./run-on-delivery.tsx";
import type { TallyFilter } from "./use-filter-tally.ts";
import type { SaveAction } from "./use-save-action.ts";
import type { StepCommand } from "./use-step-preview.ts";

export type ActionEditorProps = {
  readonly action: {
    /** Null: not saved yet. */
    readonly id: string | null;
    /** The saved action as a draft, or an empty one. */
    readonly draft: ActionDraft;
    /** Null: not saved yet. */
    readonly version: number | null;
    readonly storedAuths: StoredAuths;
  };
  /** The parts of a saved action besides its editor. Null: it is new. */
  readonly saved: {
    readonly commands: ReactNode;
    readonly activityTitle: string;
    /** Its problems and its runs over time. */
    readonly activity: ReactNode;
  } | null;
  /** Notices above the editor, such as a breaker that is open. */
  readonly notice?: ReactNode;
  /** The deliveries of the action's hook. */
  readonly source: {
    readonly hookPath: string;
    readonly hookName: string;
    readonly deliveries: readonly MappingDelivery[];
    readonly eventTypes: readonly string[];
    /** The first delivery to show. Null: nothing has arrived. */
    readonly deliveryId: string | null;
    readonly payload: MappingPayload | null;
  };
  /** The unsaved draft of the signed-in person. */
  readonly stored: StoredDraftView;
  /** The backtest to show first, from the URL. Null: none. */
  readonly backtestId: string | null;
  /** The ways to fill in a new action. */
  readonly starts?: {
    /** Those for the hook's provider come first. */
    readonly templates: readonly TemplateStart[];
    /** The dialog that is open at first. */
    readonly startWith: EditorStart | null;
  };
  readonly commands: EditorCommands;
  /** Shows the editor again, with what the server has now. */
  readonly restart: () => void;
};

type EditorCommands = {
  readonly save: SaveAction;
  readonly previewStep: StepCommand<StepPreviewView>;
  readonly runStep: StepCommand<StepRunView>;
  readonly tallyFilter: TallyFilter;
  readonly proposeExample: ProposeExample;
  /** Runs the saved action on a delivery and returns how many runs were queued. */
  readonly replay: RunOnDeliveryProps["replay"];
  readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
  readonly listDeliveries: ListMappingDeliveries;
  readonly drafts: StoredDraftCommands;
  readonly backtests: BacktestCommands & {
    readonly start: StartBacktest;
    /** Null: the action is new. */
    readonly listVersions: ListVersions | null;
  };
};
