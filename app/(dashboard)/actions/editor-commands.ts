import {
  discardDraftCommand,
  listDeliveriesCommand,
  listVersionsCommand,
  previewStepCommand,
  proposeExampleCommand,
  readPayloadCommand,
  runStepCommand,
  saveActionCommand,
  showChangesCommand,
  storeDraftCommand,
  tallyFilterCommand,
} from "#lib/web/actions/commands.ts";
import {
  cancelBacktestCommand,
  listGroupResultsCommand,
  readBacktestCommand,
  startBacktestCommand,
} from "#lib/web/backtests/commands.ts";
import { replayCommand } from "#lib/web/deliveries/commands.ts";

/** The commands of the editor, for one action or for a new one of a hook. */
export function editorCommands(place: {
  readonly hookId: string;
  readonly actionId: string | null;
}) {
  return {
    save: saveActionCommand.bind(null, place),
    previewStep: previewStepCommand.bind(null, place),
    proposeExample: proposeExampleCommand.bind(null, place),
    tallyFilter: tallyFilterCommand.bind(null, place),
    backtests: {
      start: startBacktestCommand.bind(null, place),
      read: readBacktestCommand,
      cancel: cancelBacktestCommand,
      listGroup: listGroupResultsCommand,
      listVersions: place.actionId === null ? null : listVersionsCommand.bind(null, place.actionId),
    },
    drafts: {
      store: storeDraftCommand.bind(null, place),
      discard: discardDraftCommand.bind(null, place),
      showChanges: showChangesCommand.bind(null, place),
    },
    replay: replayCommand,
    runStep: runStepCommand.bind(null, place),
    readPayload: readPayloadCommand.bind(null, place),
    listDeliveries: listDeliveriesCommand.bind(null, place),
  };
}
