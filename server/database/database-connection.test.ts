import { expect, test } from "vitest";
import { DatabaseAwayError } from "#server/system/start-error.ts";
import { withConnection } from "./database-connection.ts";

test.each(["127.0.0.1:1", "127.0.0.1:1,127.0.0.1:2"])(
  "no server at %s is a database that is away, for which a start with a spool waits",
  async (hosts) => {
    const url = `postgresql://catchment:secret@${hosts}/catchment`;
    await expect(withConnection(url, async () => {})).rejects.toBeInstanceOf(DatabaseAwayError);
  },
);
