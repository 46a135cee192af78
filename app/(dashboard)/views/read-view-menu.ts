import type { ViewList } from "#lib/schema/account/saved-view.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  deleteViewCommand,
  renameViewCommand,
  replaceViewCommand,
  restoreViewCommand,
  saveViewCommand,
  setDefaultViewCommand,
} from "#lib/web/saved-views/commands.ts";
import { readSavedViews } from "#lib/web/saved-views/read-saved-views.ts";

/** The saved views of a list, with what changes them. */
export async function readViewMenu(list: ViewList) {
  return {
    views: await readSavedViews(await pageContext(), list),
    commands: {
      save: saveViewCommand.bind(null, list),
      replace: replaceViewCommand.bind(null, list),
      rename: renameViewCommand,
      setDefault: setDefaultViewCommand,
      remove: deleteViewCommand,
      restore: restoreViewCommand,
    },
  };
}
