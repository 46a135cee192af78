import { serveTasks } from "#lib/threads/serve-tasks.ts";
import { checkData } from "./check-data.ts";

/** A thread that checks events against schemas. */
serveTasks({ checkData });
