import { prepareCallTask } from "#lib/threads/prepare-call-task.ts";
import { serveTasks } from "#lib/threads/serve-tasks.ts";
import { transformTasks } from "#lib/threads/transform/transform-task.ts";

/** The threads of a worker. */
serveTasks({ prepareCall: prepareCallTask, ...transformTasks });
