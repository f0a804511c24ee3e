/** How many tasks one request may post; all or none of them are posted. */
export const MAX_TASKS_PER_POST = 1_000;
