import { prepareCallTask } from "../prepare-call-task.ts";
import { serveTasks } from "../serve-tasks.ts";

serveTasks({ prepareCall: prepareCallTask });
