import { replayCommand } from "../deliveries/[id]/commands.ts";
import {
  listDeliveriesCommand,
  previewDraftCommand,
  readPayloadCommand,
  saveActionCommand,
  sendDraftCommand,
  tallyFilterCommand,
} from "./commands.ts";

/** What the editor can do, of this action or for a new one of this hook. */
export function editorCommands(place: {
  readonly hookId: string;
  readonly actionId: string | null;
}) {
  return {
    save: saveActionCommand.bind(null, place),
    previewDraft: previewDraftCommand.bind(null, place),
    tallyFilter: tallyFilterCommand.bind(null, place),
    replay: replayCommand,
    sendDraft: sendDraftCommand.bind(null, place),
    readPayload: readPayloadCommand.bind(null, place),
    listDeliveries: listDeliveriesCommand.bind(null, place),
  };
}
