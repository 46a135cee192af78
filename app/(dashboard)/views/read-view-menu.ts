import type { ViewList } from "#lib/schema/saved-view.ts";
import { userContext } from "#lib/web/auth/page-context.ts";
import type { requireSession } from "#lib/web/auth/session.ts";
import { readSavedViews } from "#lib/web/saved-views/read-saved-views.ts";
import {
  deleteViewCommand,
  renameViewCommand,
  replaceViewCommand,
  saveViewCommand,
} from "./commands.ts";

type Session = Awaited<ReturnType<typeof requireSession>>;

/** The saved views of a list, with what changes them. */
export async function readViewMenu(session: Session, list: ViewList) {
  return {
    views: await readSavedViews(userContext(session), list),
    commands: {
      save: saveViewCommand.bind(null, list),
      replace: replaceViewCommand.bind(null, list),
      rename: renameViewCommand,
      remove: deleteViewCommand,
    },
  };
}
