import { startBacktestCommand } from "../backtests/commands.ts";
import { replayCommand } from "../deliveries/[id]/commands.ts";
import {
  listDeliveriesCommand,
  previewStepCommand,
  proposeExampleCommand,
  readPayloadCommand,
  runStepCommand,
  saveActionCommand,
  tallyFilterCommand,
} from "./commands.ts";

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
    startBacktest: startBacktestCommand.bind(null, place),
    replay: replayCommand,
    runStep: runStepCommand.bind(null, place),
    readPayload: readPayloadCommand.bind(null, place),
    listDeliveries: listDeliveriesCommand.bind(null, place),
  };
}
